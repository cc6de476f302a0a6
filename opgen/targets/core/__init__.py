"""The framework-free part: the valid calls of an op, and its packed descriptor."""
