"""The worker process: one simulated environment behind a socket, with its world's own interpreter."""

from .client import Worker
from .protocol import Failed, Reply

__all__ = ["Failed", "Reply", "Worker"]
