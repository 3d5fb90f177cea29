"""A runner that starts a worker, prints its process id, and waits to be killed."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from indgen.core import WorkerSpec
from indgen.sim.worker import Worker

if __name__ == "__main__":
    spec = WorkerSpec("none", "types:SimpleNamespace")
    worker = Worker(spec, Path(sys.executable), Path(sys.argv[1]))
    worker.ask("hello", timeout=30)
    print(worker.pid, flush=True)
    time.sleep(600)
