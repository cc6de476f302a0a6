"""`silu(gate) * up` for `gate` and `up`, the halves of each row, and its gradient on NeuronCores.

Shazeer, GLU Variants Improve Transformer, 2020. A row is one element of *batch. Everything is
computed in f32.
"""

import nki
import nki.language as nl

ROWS, COLUMNS = 128, 2048  # of a tile, at most; columns are those of one half


@nki.jit
def nki_silu_and_mul(x):
    """Compute `silu(gate) * up`. x: `*batch 2*d`. Returns y: `*batch d`, in x's dtype."""
    rows, d = _prod(x.shape[:-1]), x.shape[-1] // 2
    y = nl.ndarray(x.shape[:-1] + (d,), dtype=x.dtype, buffer=nl.shared_hbm)
    of_x, of_y = x.reshape((rows, 2 * d)), y.reshape((rows, d))
    for first in range(nl.program_id(0) * ROWS, rows, nl.num_programs(0) * ROWS):
        block = nl.ds(first, min(ROWS, rows - first))
        for column in range(0, d, COLUMNS):
            width = min(COLUMNS, d - column)
            gate = nl.load(of_x[block, nl.ds(column, width)], dtype=nl.float32)
            up = nl.load(of_x[block, nl.ds(d + column, width)], dtype=nl.float32)
            nl.store(of_y[block, nl.ds(column, width)], nl.multiply(nl.silu(gate), up))
    return y


@nki.jit
def nki_silu_and_mul_bwd(dy, x):
    """Compute the gradient. dy: `*batch d`, x: `*batch 2*d`. Returns dx: `*batch 2*d`, in x's
    dtype.

    With `s = sigmoid(gate)`, the slope of `silu` is `s * (1 + gate * (1 - s))`.
    """
    rows, d = _prod(dy.shape[:-1]), dy.shape[-1]
    dx = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    of_dy, of_x, of_dx = dy.reshape((rows, d)), x.reshape((rows, 2 * d)), dx.reshape((rows, 2 * d))
    for first in range(nl.program_id(0) * ROWS, rows, nl.num_programs(0) * ROWS):
        block = nl.ds(first, min(ROWS, rows - first))
        for column in range(0, d, COLUMNS):
            width = min(COLUMNS, d - column)
            left, right = nl.ds(column, width), nl.ds(d + column, width)
            slope = nl.load(of_dy[block, left], dtype=nl.float32)
            gate = nl.load(of_x[block, left], dtype=nl.float32)
            up = nl.load(of_x[block, right], dtype=nl.float32)
            s = nl.sigmoid(gate)
            silu = nl.multiply(gate, s)
            rest = nl.add(nl.multiply(s, -1.0), 1.0)
            of_gate = nl.add(s, nl.multiply(silu, rest))
            nl.store(of_dx[block, left], nl.multiply(nl.multiply(slope, up), of_gate))
            nl.store(of_dx[block, right], nl.multiply(slope, silu))
    return dx


def _prod(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product
