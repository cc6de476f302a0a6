"""Functions that render the documentation of the spec language, rules, C++ headers and ops."""
