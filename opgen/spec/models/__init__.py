"""The models: exactly what a user may write, key for key, and what opgen holds of it.

Each key is declared once, by `key()`: its type in a file, its documentation with the default and
an example, and the field that holds its value. `reading.py` reads a table into a model by these
types, `document.py` makes the validator, and the reference, `opgen explain KEY` and the JSON Schema
are rendered from them. Nothing is required here but the language's version: a template may hold
part of an op, and an op is whole only once `like` is resolved. `lint/` knows what names mean.
"""
