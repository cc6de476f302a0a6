"""Everything that a user may write: spec files, with inheritance, and the project's configuration.

`parse_spec` returns a `Spec`, which holds the ops of a file as typed objects (`opgen.spec.models`).
Code outside this folder uses these objects, and does not read the TOML tables of a file.
"""
