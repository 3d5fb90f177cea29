"""Checkpoints that ship: one seed of every BlockEnv baseline, with cards."""
