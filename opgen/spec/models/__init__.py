"""The pydantic models: exactly what a user may write, key for key.

The spec reference, `opgen explain KEY` and the JSON Schema are rendered from them, so every
key has a description, which names its default where it has one, and an example. Nothing is
required here but the language's version: a template may hold part of an op, and whether an
op is whole is known only once `like` is resolved. What names mean is `lint/`'s business. The
models check and describe; `opgen/spec/read_op.py` makes typed ops of what fits them.
"""
