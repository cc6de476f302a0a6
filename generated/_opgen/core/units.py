"""The version of the interface between a package and the two libraries without ops: the autograd
library and the eager library.
"""

# These libraries (runtime/adapters/torch) and packages must agree on the text format of gradient
# rules, and on the functions that the libraries export and call. This number selects the libraries
# in the distribution opgen-runtime. tests/runtime/test_units.py explains when it has to change.
UNITS = 1
