"""The framework-free part: what a call of an op may look like, and its packed descriptor."""
