"""The intermediate representation of an op, and what follows from it."""
