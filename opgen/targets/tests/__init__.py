"""Conformance tests that follow from the specs, so a new spec gets its tests."""
