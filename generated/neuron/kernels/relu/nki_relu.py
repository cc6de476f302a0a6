"""`max(x, 0)` and its gradient on NeuronCores.

AWS does not document the maximum of a NaN.
"""

import nki
import nki.language as nl

ROWS, COLUMNS = 128, 2048  # of a tile, at most


@nki.jit
def nki_relu(x):
    """Compute `max(x, 0)`. `x` has any shape with at least one dim. Returns `y` of the same shape."""
    rows, columns = _matrix(x.shape)
    y = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    of_x, of_y = x.reshape((rows, columns)), y.reshape((rows, columns))
    for first in range(nl.program_id(0) * ROWS, rows, nl.num_programs(0) * ROWS):
        block = nl.ds(first, min(ROWS, rows - first))
        for column in range(0, columns, COLUMNS):
            part = nl.ds(column, min(COLUMNS, columns - column))
            nl.store(of_y[block, part], nl.maximum(nl.load(of_x[block, part]), 0))
    return y


@nki.jit
def nki_relu_bwd(dy, y):
    """Compute the gradient. dy, y: `*s` of at least one dim. Returns dx: `*s`, 0 if `y <= 0`, else
    dy.
    """
    rows, columns = _matrix(y.shape)
    dx = nl.ndarray(y.shape, dtype=y.dtype, buffer=nl.shared_hbm)
    of_dy, of_y = dy.reshape((rows, columns)), y.reshape((rows, columns))
    of_dx = dx.reshape((rows, columns))
    for first in range(nl.program_id(0) * ROWS, rows, nl.num_programs(0) * ROWS):
        count = min(ROWS, rows - first)
        for column in range(0, columns, COLUMNS):
            width = min(COLUMNS, columns - column)
            block, part = nl.ds(first, count), nl.ds(column, width)
            zero = nl.zeros((count, width), dtype=nl.float32, buffer=nl.sbuf)
            off = nl.less_equal(nl.load(of_y[block, part]), 0.0, dtype=nl.float32)
            slope = nl.where(off, zero, nl.load(of_dy[block, part], dtype=nl.float32))
            nl.store(of_dx[block, part], slope)
    return dx


def _matrix(shape):
    """Return the size of a tensor as rows and columns. The last dim is the columns."""
    rows = 1
    for size in shape[:-1]:
        rows *= size
    return rows, shape[-1]
