"""The models: exactly what a user may write, key for key, and what opgen holds of it.

`key()` declares each key once: its type in a file, its documentation, and the field of its value.
`reading.py` reads a table into a model by these types, and `document.py` makes the validator. The
reference, `opgen explain KEY` and the JSON Schema are rendered from them. Only the language's
version is required here. A template may hold part of an op, and `like` makes an op whole. `lint/`
knows the meaning of names.
"""
