"""Compiles rendered projects with CMake, and loads them into a running program."""
