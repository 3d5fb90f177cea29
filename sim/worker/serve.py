"""The worker's side: answer calls until the runner is done or gone."""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from ...core.errors import SceneError, WorkerError
from ...core.inspection import Inspectable
from ...core.scene import Scene
from ...core.wire import pack, unpack
from ...core.world import Env, View
from .protocol import PROTOCOL, chunk_from_dict, error_to_dict, observation_to_dict, source_digest, transition_to_dict


def main(channel: int, factory: str) -> None:
    """Serve one environment on an inherited socket until told to stop or until the runner is gone."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    connection = Connection(channel)
    session = _Session(factory)
    while not session.over:
        try:
            request = unpack(connection.recv_bytes())
        except EOFError:
            return
        try:
            answer = {"value": session.call(request["call"], request["args"])}
        except Exception as error:
            answer = {"error": error_to_dict(error)}
        connection.send_bytes(pack(answer))


def _end_with_parent() -> None:
    """Standard input is a pipe from the runner: it ends when the runner does, however that died."""
    # By descriptor: a thread that waits within sys.stdin holds a lock that the interpreter needs to exit.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(0)


class _Session:
    """The calls of one worker's life."""

    def __init__(self, factory: str) -> None:
        self._factory = factory
        self._env: Env | None = None
        self.over = False

    def call(self, name: str, args: list[Any]) -> Any:
        method: Callable[..., Any] | None = getattr(self, f"_do_{name}", None)
        if method is None:
            raise WorkerError("unknown call", got=name)
        return method(*args)

    @property
    def _open(self) -> Env:
        if self._env is None:
            raise WorkerError("no environment is open", expected="a call of open first")
        return self._env

    def _do_hello(self) -> dict[str, Any]:
        return {"protocol": PROTOCOL, "digest": source_digest(), "pid": os.getpid()}

    def _do_open(self, view: dict[str, Any]) -> dict[str, Any]:
        module, _, attribute = self._factory.partition(":")
        self._env = getattr(importlib.import_module(module), attribute)(View.from_dict(view))
        return dict(self._open.manifest())

    def _do_ground(self, task: str, rollout: int, seed: int) -> dict[str, Any]:
        return self._open.ground(task, rollout, seed).to_dict()

    def _do_reset(self, scene: dict[str, Any]) -> dict[str, Any]:
        return observation_to_dict(self._open.reset(Scene.from_dict(scene)))

    def _do_advance(self, chunk: dict[str, Any]) -> dict[str, Any]:
        return transition_to_dict(self._open.advance(chunk_from_dict(chunk)))

    def _do_picture(self, scene: dict[str, Any], camera: str, height: int, width: int) -> Any:
        return self._open.picture(Scene.from_dict(scene), camera, height, width)

    def _do_inspect(self, scene: dict[str, Any]) -> dict[str, Any]:
        env = self._open
        if not isinstance(env, Inspectable):
            raise SceneError("this world shows nobody what its starts are", got=type(env).__name__)
        return env.inspect(Scene.from_dict(scene)).to_dict()

    def _do_close(self) -> None:
        self.over = True
        if self._env is not None:
            self._env.close()
