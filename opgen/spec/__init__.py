"""Everything that a user may write: models of a spec file, inheritance, and the configuration.

`parse_spec` returns a `Spec`, whose `ops` are typed (`opgen.spec.models`). No folder above this one
reads the tables of a file.
"""
