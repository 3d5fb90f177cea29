"""Episodes on film."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.video.stream import VideoStream

EVERY = 2
"""Control steps between two frames."""
_CODECS = ("libx264", "libopenh264", "mpeg4")


def write_video(path: Path, frames: Sequence[np.ndarray], rate: float) -> None:
    """Write an MP4.

    Args:
        path: the file; its folder is made.
        frames: uint8 (H, W, 3), all of one size with even sides.
        rate: frames per second of simulated time.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    height, width = frames[0].shape[:2]
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream(_codec(), rate=Fraction(rate).limit_denominator(1000))
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="rgb24")))
        container.mux(stream.encode())


def _codec() -> str:
    """The first H.264 encoder this build of FFmpeg has; browsers play no other."""
    return next((name for name in _CODECS if name in av.codecs_available), _CODECS[-1])
