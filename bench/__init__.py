"""Benchmarks of this repository. `python -m bench` runs every module that defines `groups()`."""
