from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from indgen.runner.video import write_video

COLOURS = [(220, 30, 30), (30, 200, 30), (40, 40, 220), (128, 128, 128), (250, 250, 250)]


def frames(height: int = 64, width: int = 96) -> list[np.ndarray]:
    return [np.full((height, width, 3), colour, np.uint8) for colour in COLOURS]


def read(path: Path) -> tuple[list[np.ndarray], float, str]:
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        pixels = [frame.to_ndarray(format="rgb24") for frame in container.decode(stream)]
        return pixels, float(stream.average_rate or 0), stream.codec_context.name


def test_a_film_shows_every_frame_in_order_upright_and_at_its_rate(tmp_path: Path) -> None:
    shown = frames()
    for frame in shown:
        frame[:16] = 0
    write_video(tmp_path / "deep" / "film.mp4", shown, 10.0)
    seen, rate, codec = read(tmp_path / "deep" / "film.mp4")
    assert [frame.shape for frame in seen] == [(64, 96, 3)] * 5
    assert rate == 10.0
    assert codec == "h264"
    for before, after in zip(shown, seen, strict=True):
        assert np.abs(before[24:].astype(int).mean((0, 1)) - after[24:].mean((0, 1))).max() < 16
        assert after[:8].mean() < 16


def test_one_frame_is_a_film(tmp_path: Path) -> None:
    write_video(tmp_path / "film.mp4", frames()[:1], 10.0)
    assert len(read(tmp_path / "film.mp4")[0]) == 1


def test_a_new_film_replaces_the_old_one(tmp_path: Path) -> None:
    write_video(tmp_path / "film.mp4", frames(), 10.0)
    write_video(tmp_path / "film.mp4", frames()[:2], 10.0)
    assert len(read(tmp_path / "film.mp4")[0]) == 2


def test_a_slow_film_keeps_its_rate(tmp_path: Path) -> None:
    write_video(tmp_path / "film.mp4", frames(), 0.5)
    assert read(tmp_path / "film.mp4")[1] == pytest.approx(0.5)
