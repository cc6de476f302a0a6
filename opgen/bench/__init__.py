"""Benchmarks that compare functions within one run. `opgen bench` uses them for a project's ops."""
