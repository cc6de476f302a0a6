"""The models: exactly what a user may write, key for key, and opgen's representation of it.

`key()` declares each key once: its type in a file, its documentation, and the field of its value.
`reading.py` reads a table into a model by these types, and `document.py` builds the validator. The
reference, `opgen explain KEY` and the JSON Schema are rendered from them.

Only the language's version is required here, because a template may hold part of an op, and `like`
completes an op. `lint/` checks the meaning of names.
"""
