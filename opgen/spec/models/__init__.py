"""The models: classes for the tables of a spec, which define every key that a user may write.

`key()` declares each key once: its type in a file, its documentation, and the field of its value.
`reading.py` reads a table into a model by these types, and `document.py` builds the validator.
opgen renders the reference, `opgen explain KEY` and the JSON Schema from the models.

The only key that the models require is `spec`, the language's version. A template may contain only
a part of an op, so a lint rule checks for missing keys after `like` is applied. `lint/` also checks
the meaning of names.
"""
