"""The part of a package that needs no framework: the checks of a call, and its packed descriptor."""
