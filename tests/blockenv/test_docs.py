"""What docs/blockenv.md tells people to write works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from indgen.blockenv.demonstrations import read_demonstrations
from indgen.blockenv.world import BlockWorld

PAGE = (Path(__file__).parents[2] / "docs" / "blockenv.md").read_text(encoding="utf-8")


def test_the_page_s_python_runs(tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, names)
    assert isinstance(names["world"](), BlockWorld)
    assert names["axis"]().card.levels == tuple(range(13))
    assert names["film"].startswith(b"GIF89a")
    names["write_demonstrations"](tmp_path / "d.h5", names["demonstrations"])
    assert list(read_demonstrations(tmp_path / "d.h5")) == [0, 1, 2]
