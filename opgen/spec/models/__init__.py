"""The models: what a user may write, key for key, and how opgen represents it.

`key()` declares each key once: its type in a file, its documentation, and the field of its value.
`reading.py` reads a table into a model by these types, and `document.py` builds the validator. The
reference, `opgen explain KEY` and the JSON Schema are rendered from them.

The models require only the language's version, because a template may contain a part of an op, and
`like` completes it. `lint/` checks the meaning of names.
"""
