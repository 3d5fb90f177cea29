"""From a request to episodes in a run folder.

What is asked for: ``config`` (sweep files), ``parts`` (names to world, policy and axis), ``records`` (their cards
checked), ``choosing`` and ``refusals`` (tasks), ``levels``, ``planning``, ``plan``, ``certified`` (cells left out).
What is kept: ``folder``, ``ledger``, ``episodes``, ``scenes``, ``demonstrations``, ``manifest``, ``files``.
What runs it: ``sweep``, ``adaptation``, ``top_up``, ``opening``, ``engine``, ``agenda``, ``looking``, ``answers``.
Where it runs: ``places``, ``worker_places``, ``batch_places``.
What is shown: ``observer`` (progress), ``video``, ``pictures``, ``preview``.
Whether an axis is what it claims to be: ``certify``.
"""
