"""The command line: one file per command, no logic beyond reading flags and printing."""
