"""Render only when somebody looks, and then exactly what ``env.step`` itself would have returned.

robosuite samples its observables a substep or two before a control step ends, so a later render would show a newer
world. Here the camera observables stay enabled, their clocks running as always, and only the sensor behind
them is switched: off, it hands out a blank frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any

import numpy as np

Sensor = Callable[[dict[str, Any]], np.ndarray]


class CameraGate:
    """Switches the camera sensors of a robosuite environment.

    Args:
        env: the robosuite environment.
        cameras: camera role to robosuite's camera name.
    """

    def __init__(self, env: Any, cameras: Mapping[str, str]) -> None:
        self._open = False
        self._images = {role: f"{camera}_image" for role, camera in cameras.items()}
        for name in self._images.values():
            observable = env._observables[name]
            blank = np.zeros(observable.obs.shape, np.uint8)
            observable._sensor = self._switch(observable._sensor, blank)

    def _switch(self, sensor: Sensor, blank: np.ndarray) -> Sensor:
        # wraps carries over the modality that robosuite's decorator hung on the sensor.
        @wraps(sensor)
        def switched(cache: dict[str, Any]) -> np.ndarray:
            return sensor(cache) if self._open else blank

        return switched

    @contextmanager
    def looking(self, look: bool) -> Iterator[None]:
        """Render what is sampled within, if ``look``."""
        self._open = look
        try:
            yield
        finally:
            self._open = False

    def images(self, observables: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Camera role to uint8 (H, W, 3), turned upright: robosuite's rows run from bottom to top."""
        return {role: np.ascontiguousarray(observables[name][::-1]) for role, name in self._images.items()}
