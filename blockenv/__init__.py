"""BlockEnv, the controlled world: its rules, world, oracle and demonstrations (paper section 5.1, Appendix A)."""
