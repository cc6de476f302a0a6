"""Conformance tests that follow from the specs: whoever adds a spec gets its tests."""
