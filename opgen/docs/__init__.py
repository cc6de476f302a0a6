"""Functions that render documentation: of the spec language, the rules, the headers and ops."""
