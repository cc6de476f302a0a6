"""Benchmarks that compare callables within one run; times of two runs are never compared."""
