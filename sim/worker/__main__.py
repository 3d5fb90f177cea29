"""Start a worker: ``python .../sim/worker/__main__.py CHANNEL FACTORY``.

Run by path with a world's own interpreter, in which indgen need not be installed: the package is taken from
where this very file lies, so that a worker can never be of another build than its runner.
"""

import importlib.util
import sys
from pathlib import Path


def _adopt_package() -> None:
    here = Path(__file__).absolute()
    root = here.parents[2]
    init = root / "__init__.py"
    if not init.exists():
        root, init = root / "indgen", root / "indgen" / "__init__.py"
    spec = importlib.util.spec_from_file_location("indgen", init, submodule_search_locations=[str(root)])
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["indgen"] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    sys.path.pop(0)
    _adopt_package()
    serve = importlib.import_module("indgen.sim.worker.serve")
    serve.main(int(sys.argv[1]), sys.argv[2])
