"""This repository's benchmarks. Each module has `groups()`, and `python -m bench` runs them all."""
