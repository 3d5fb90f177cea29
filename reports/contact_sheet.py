"""A contact sheet: the scenes along an axis side by side, tau_0 marked, one row per camera."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from ..axes.contract import AxisCard
from ..core.errors import UsageError
from ..core.text import one_line
from ..core.world import Task
from ..runner.preview import Shot
from . import words
from .style import PALETTE

SOFTWARE = "indgen preview"
"""What the file says it was made with: only such a file is ever replaced."""
_MARK = b"tEXtSoftware\0" + SOFTWARE.encode()
_HEAD = 200
"""Bytes of a PNG within which such a mark stands."""
_SMALLEST_FONT = 11
_REASON_LINES = 3
_REASON_LONGEST = 300


def contact_sheet(
    card: AxisCard, shots: Sequence[Shot], sizes: Mapping[str, tuple[int, int]], task: Task, start: int
) -> bytes:
    """The sheet as a PNG; the same shots give the same bytes.

    Args:
        card: the axis.
        shots: columns from left to right.
        sizes: camera role to (height, width) in pixels, rows from top to bottom; images have these sizes.
        task: whose start it is.
        start: rollout number.

    Returns:
        The file's bytes; images are pasted pixel by pixel.
    """
    image = _Sheet(card, shots, sizes, task, start).draw()
    stream, about = BytesIO(), PngInfo()
    about.add_text("Software", SOFTWARE)
    image.save(stream, format="png", pnginfo=about)
    return stream.getvalue()


def check_file(path: Path) -> None:
    """A sheet may replace an earlier sheet, and nothing else.

    Raises:
        UsageError: if something else lies there, or if nothing can be written there.
    """
    hint = "choose another file with --out"
    try:
        there, sheet = path.exists(), path.is_file() and _MARK in path.read_bytes()[:_HEAD]
        above = next(folder for folder in path.absolute().parents if folder.exists())
    except OSError as cause:
        raise UsageError("the preview cannot be written", got=f"{path}: {cause.strerror}", hint=hint) from cause
    if there and not sheet:
        raise UsageError("this is something else", got=str(path), expected="a new file, or a preview's", hint=hint)
    if not (above.is_dir() and os.access(above, os.W_OK)):
        raise UsageError("the preview cannot be written", got=f"{above} is no folder to write in", hint=hint)


@dataclass(frozen=True)
class _Fonts:
    """DejaVu Sans as matplotlib brings it, so that a sheet looks the same everywhere."""

    size: int

    @cached_property
    def plain(self) -> ImageFont.FreeTypeFont:
        return self._load("DejaVuSans.ttf", self.size)

    @cached_property
    def bold(self) -> ImageFont.FreeTypeFont:
        return self._load("DejaVuSans-Bold.ttf", self.size)

    @cached_property
    def small(self) -> ImageFont.FreeTypeFont:
        return self._load("DejaVuSans.ttf", max(_SMALLEST_FONT - 1, round(0.72 * self.size)))

    @staticmethod
    def _load(name: str, size: int) -> ImageFont.FreeTypeFont:
        path = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name
        # The basic layout engine is part of Pillow itself; the other one depends on the machine.
        return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


class _Sheet:
    """Where everything stands, in pixels, and how it is drawn.

    Args:
        card: the axis.
        shots: columns.
        sizes: rows.
        task: whose start it is.
        start: rollout number.
    """

    def __init__(
        self, card: AxisCard, shots: Sequence[Shot], sizes: Mapping[str, tuple[int, int]], task: Task, start: int
    ) -> None:
        self.card, self.shots, self.sizes = card, shots, sizes
        self.where = f"{task.short}, start {start}"
        height = max(size[0] for size in sizes.values())
        self.column = max(size[1] for size in sizes.values())
        self.fonts = _Fonts(max(_SMALLEST_FONT, round(0.085 * height)))
        self.line = round(1.3 * self.fonts.size)
        self.gap = max(3, round(0.02 * height))
        self.margin = 2 * self.gap
        broken = {shot.level: shot.invalid.replace(task.name, task.short) for shot in shots if shot.invalid}
        self.reasons = {level: self._reason(why) for level, why in broken.items()}
        self.left = self.margin + self.line
        self.titles = self.margin + 2 * self.line + 3 * self.gap
        lines = max(map(len, self.reasons.values()), default=0)
        self.small_line = round(1.3 * self.fonts.small.size)
        self.top = self.titles + 2 * self.line + lines * self.small_line + self.gap

    def draw(self) -> Image.Image:
        """All of it."""
        across = len(self.shots) * (self.column + self.gap) - self.gap
        down = sum(size[0] + self.gap for size in self.sizes.values()) - self.gap
        self.indent = round(self.fonts.bold.getlength(f"{self.card.id}  "))
        plain = self.fonts.plain
        header = max(self.indent + plain.getlength(self.where), plain.getlength(self.card.changes))
        size = (self.left + max(across, round(header)) + self.margin, self.top + down + self.margin)
        self.image = Image.new("RGB", size, PALETTE["paper"])
        self.pen = ImageDraw.Draw(self.image)
        self._header()
        for number, shot in enumerate(self.shots):
            self._draw_column(shot, self.left + number * (self.column + self.gap))
        self._cameras()
        return self.image

    def _header(self) -> None:
        at = (self.left, self.margin)
        self.pen.text(at, self.card.id, PALETTE["ink"], self.fonts.bold)
        self.pen.text((at[0] + self.indent, at[1]), self.where, PALETTE["ink"], self.fonts.plain)
        self.pen.text((at[0], at[1] + self.line), self.card.changes, PALETTE["muted"], self.fonts.plain)

    def _draw_column(self, shot: Shot, x: int) -> None:
        broken = shot.level in self.reasons
        colour = PALETTE["alarm"] if broken else PALETTE["accent"] if shot.level == 0 else PALETTE["ink"]
        centre, y = x + self.column / 2, self.titles
        self.pen.text((centre, y), _minus(f"k = {words.signed(shot.level)}"), colour, self.fonts.bold, anchor="ma")
        shift = _minus(words.shift(self.card, shot.level)) if shot.level else "τ₀"
        muted = PALETTE["accent"] if shot.level == 0 else PALETTE["muted"]
        self.pen.text((centre, y + self.line), shift, muted, self.fonts.plain, anchor="ma")
        for number, text in enumerate(self.reasons.get(shot.level, ())):
            at = (centre, y + 2 * self.line + number * self.small_line)
            self.pen.text(at, text, PALETTE["alarm"], self.fonts.small, anchor="ma")
        y = self.top
        for role, (height, width) in self.sizes.items():
            self._picture(shot.images.get(role), (x + (self.column - width) // 2, y, width, height))
            y += height + self.gap
        if broken or shot.level == 0:
            self._frame((x, self.top, x + self.column, y - self.gap), colour)

    def _picture(self, pixels: np.ndarray | None, box: tuple[int, int, int, int]) -> None:
        x, y, width, height = box
        if pixels is not None:
            self.image.paste(Image.fromarray(pixels), (x, y))
            return
        self.pen.rectangle((x, y, x + width - 1, y + height - 1), PALETTE["shade"])
        self.pen.text((x + width / 2, y + height / 2), "no picture", PALETTE["muted"], self.fonts.small, anchor="mm")

    def _frame(self, box: tuple[int, int, int, int], colour: str) -> None:
        """Around a column, in the gutter, so that no pixel of a picture is hidden."""
        wide = max(2, self.gap // 2)
        left, top, right, bottom = box
        self.pen.rectangle((left - wide, top - wide, right + wide - 1, bottom + wide - 1), outline=colour, width=wide)

    def _cameras(self) -> None:
        y = self.top
        for role, (height, _) in self.sizes.items():
            text = _shortened(role, self.fonts.plain, height)
            strip = Image.new("RGB", (height, self.line), PALETTE["paper"])
            ImageDraw.Draw(strip).text((height / 2, 0), text, PALETTE["muted"], self.fonts.plain, anchor="ma")
            self.image.paste(strip.rotate(90, expand=True), (self.margin - self.gap, y))
            y += height + self.gap

    def _reason(self, invalid: str) -> list[str]:
        """Why a start is broken, on a few lines no wider than a column."""
        lines, font = [""], self.fonts.small
        pending = one_line(f"invalid: {invalid}", _REASON_LONGEST).split()
        while pending:
            longer = f"{lines[-1]} {pending[0]}".strip()
            if lines[-1] and font.getlength(longer) > self.column:
                if len(lines) == _REASON_LINES:
                    lines[-1] = _shortened(" ".join([lines[-1], *pending]), font, self.column)
                    break
                lines.append("")
                continue
            lines[-1] = longer
            pending.pop(0)
        return [_shortened(line, font, self.column) for line in lines]


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _shortened(text: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    """``text`` as far as it fits."""
    if font.getlength(text) <= width:
        return text
    while text and font.getlength(f"{text}…") > width:
        text = text[:-1]
    return f"{text.rstrip()}…"
