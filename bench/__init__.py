"""This repository's benchmarks: each module has `groups()`, and `python -m bench` runs them all."""
