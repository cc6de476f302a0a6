"""The target `tests`: conformance tests for every op in the specs."""
