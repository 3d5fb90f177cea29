"""From a request to episodes in a run folder.

What is asked for: ``config`` (sweep files), ``planning`` (names to a plan), ``plan``, ``records`` (cards checked).
What is kept: ``folder``, ``ledger``, ``episodes``, ``scenes``, ``demonstrations``, ``manifest``, ``files``.
What runs it: ``sweep``, ``adaptation``, ``top_up``, ``opening``, ``engine``, ``agenda``, ``looking``, ``answers``.
Where it runs: ``places``, ``worker_places``, ``batch_places``.
What is shown: ``observer`` (progress), ``video``, ``pictures``.
"""
