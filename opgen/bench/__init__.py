"""Benchmarks that compare callables within one run. `opgen bench` uses them for a project's ops."""
