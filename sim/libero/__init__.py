"""Four LIBERO suites on robosuite 1.4 and MuJoCo 2.3.7, the stack public checkpoints were evaluated on.

``world``, ``tasks``, ``roles``, ``scene`` and ``layout`` are plain data and import no simulator; the other modules
run in a worker process with LIBERO's own interpreter.
"""
