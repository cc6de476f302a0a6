"""Layer normalization on NeuronCores.

Ba, Kiros and Hinton, Layer Normalization, 2016. A row is one element of *batch, its columns
are *norm. Everything is computed in f32.
"""

import nki
import nki.language as nl

ROWS, COLUMNS = 128, 2048  # of a tile, at most


@nki.jit
def nki_layer_norm(x, weight, bias, normalized_shape, eps):
    """Normalize each row. x: `*batch *norm`, weight, bias: `*norm` or None.

    Returns y like x, and mean and rstd: `rows 1`, f32.
    """
    columns = _prod(normalized_shape)
    rows = _prod(x.shape) // columns
    y = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    mean = nl.ndarray((rows, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    rstd = nl.ndarray((rows, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    of_x, of_y = x.reshape((rows, columns)), y.reshape((rows, columns))

    one = nl.ds(0, 1)
    for first in range(nl.program_id(0) * ROWS, rows, nl.num_programs(0) * ROWS):
        count = min(ROWS, rows - first)
        block = nl.ds(first, count)
        total = nl.zeros((count, 1), dtype=nl.float32, buffer=nl.sbuf)
        for column in range(0, columns, COLUMNS):
            part = nl.ds(column, min(COLUMNS, columns - column))
            tile = nl.load(of_x[block, part], dtype=nl.float32)
            total = nl.add(total, nl.sum(tile, axis=1, keepdims=True))
        center = nl.multiply(total, 1.0 / columns)
        total = nl.zeros((count, 1), dtype=nl.float32, buffer=nl.sbuf)
        for column in range(0, columns, COLUMNS):
            shape = (count, min(COLUMNS, columns - column))
            part = nl.ds(column, shape[1])
            tile = nl.load(of_x[block, part], dtype=nl.float32)
            tile = nl.square(nl.subtract(tile, nl.broadcast_to(center, shape)))
            total = nl.add(total, nl.sum(tile, axis=1, keepdims=True))
        scale = nl.rsqrt(nl.add(nl.multiply(total, 1.0 / columns), eps))
        for column in range(0, columns, COLUMNS):
            shape = (count, min(COLUMNS, columns - column))
            part = nl.ds(column, shape[1])
            tile = nl.load(of_x[block, part], dtype=nl.float32)
            tile = nl.subtract(tile, nl.broadcast_to(center, shape))
            tile = nl.multiply(tile, nl.broadcast_to(scale, shape))
            if weight != None:  # noqa: E711, NKI has no `is`
                tile = nl.multiply(tile, _row(weight.reshape((1, columns)), part, shape))
            if bias != None:  # noqa: E711
                tile = nl.add(tile, _row(bias.reshape((1, columns)), part, shape))
            nl.store(of_y[block, part], tile)
        nl.store(mean[block, one], center)
        nl.store(rstd[block, one], scale)
    return y, mean, rstd


def _row(values, part, shape):
    """Return a part of one row, repeated for every row of a tile."""
    return nl.broadcast_to(nl.load(values[nl.ds(0, 1), part], dtype=nl.float32), shape)


def _prod(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product
