"""indgen measures where a robot policy breaks.

A task the policy can do (tau_0) is changed along one axis, step by step, and the first level at which
the policy fails is reported. The sub-packages are real folders beside this one, linked in here so that
there is a single import name.
"""

__version__ = "0.1.0"
