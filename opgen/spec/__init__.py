"""Everything that a user may write: the models of a spec file, inheritance, and the configuration.

`parse_spec` returns a `Spec`, whose `ops` are typed (`opgen.spec.models`). Code outside this folder
does not read the tables of a file.
"""
