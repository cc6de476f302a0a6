"""Conformance tests that are derived from the specs, so every new spec gets tests."""
