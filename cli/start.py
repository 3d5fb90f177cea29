"""Entry points: the imports take a second, and Ctrl-C has to work in it as well."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import NoReturn

INTERRUPTED = 130


def indgen() -> NoReturn:
    """Entry point of ``indgen``."""
    _start("app")


def evaluate_axis() -> NoReturn:
    """Entry point of ``evaluate-axis``."""
    _start("evaluate_axis")


def _start(module: str) -> NoReturn:
    try:
        main = import_module(f".{module}", __package__).main
    except KeyboardInterrupt:
        print("error: interrupted; nothing had begun", file=sys.stderr)
        sys.exit(INTERRUPTED)
    main()
    raise AssertionError("a command line ends by leaving")
