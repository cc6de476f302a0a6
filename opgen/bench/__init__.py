"""Benchmarks that compare callables within one run; `opgen bench` does so for a project's ops."""
