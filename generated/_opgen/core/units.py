"""The interface version of the libraries without ops: autograd and eager."""

# These libraries (runtime/adapters/torch) agree with packages on the lines of rules and on the
# functions that they export and call. Those of the distribution opgen-runtime are found by this
# number: tests/runtime/test_units.py says when it is to change.
UNITS = 1
