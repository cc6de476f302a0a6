"""What a user may write: the models of a spec file, inheritance between ops, and the project's configuration.

`parse_spec` returns a `Spec`, whose `ops` are typed (`opgen.spec.models`). No folder above this one
reads the tables of a file.
"""
