"""The intermediate representation (IR) of an op, and functions that derive properties of the op."""
