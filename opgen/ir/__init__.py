"""The intermediate representation (IR) of an op, and the facts derived from it."""
