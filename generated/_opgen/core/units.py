"""The interface version of the libraries without ops: autograd and eager."""

# These libraries (runtime/adapters/torch) agree with packages on the lines of rules and on the
# functions that they export and call. opgen finds those of the distribution opgen-runtime by this
# number. tests/runtime/test_units.py explains when it has to change.
UNITS = 1
