"""The nouns everything else is built from; imports nothing of ours."""

from .edits import Deepen, Edit, Reveal, Scale, Translate
from .errors import IndgenError
from .layouts import ActionField, ActionLayout, ImageField, StateField, WorldLayout
from .observation import Act, ActionChunk, Frame, Observation, Transition
from .registry import Registered, Registry
from .scene import Scene
from .seeds import derive_seed
from .slots import EpisodeKey, Slot
from .world import BatchEnv, Env, Task, View, WorkerSpec, World

__all__ = [
    "Act",
    "ActionChunk",
    "ActionField",
    "ActionLayout",
    "BatchEnv",
    "Deepen",
    "Edit",
    "Env",
    "EpisodeKey",
    "Frame",
    "ImageField",
    "IndgenError",
    "Observation",
    "Registered",
    "Registry",
    "Reveal",
    "Scale",
    "Scene",
    "Slot",
    "StateField",
    "Task",
    "Transition",
    "Translate",
    "View",
    "WorkerSpec",
    "World",
    "WorldLayout",
    "derive_seed",
]
