"""Compile rendered packages with CMake, and load them into a running program."""
