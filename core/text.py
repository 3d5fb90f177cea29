"""Texts that come from anywhere, made fit for a ledger, a terminal and a page."""

from __future__ import annotations

LONGEST = 2000
"""Characters kept of a foreign text."""
_SAID = 400


def one_line(text: str, longest: int = LONGEST) -> str:
    """``text`` on one line, printable, encodable, and not longer than ``longest`` characters.

    Undecodable bytes (lone surrogates, as file names bring them) are written out, control characters dropped.
    """
    known = text[: 4 * longest].encode("utf-8", "backslashreplace").decode("utf-8")
    words = "".join(c if c.isprintable() else " " for c in known).split()
    line = " ".join(words)
    return line if len(line) <= longest else line[: longest - 4] + " ..."


def describe(error: BaseException) -> str:
    """An exception's type and message on one line, even if its message cannot be made."""
    try:
        said = one_line(str(error), _SAID)
    except Exception:
        said = "its message cannot be made"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
