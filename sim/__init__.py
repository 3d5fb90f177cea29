"""Worlds on MuJoCo, the worker process they run in, rendering, and their interpreter environments."""
