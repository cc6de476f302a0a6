"""The intermediate representation of an op, and the facts derived from it."""
