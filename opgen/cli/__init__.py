"""The command line of opgen: a module for each command or group of commands."""
