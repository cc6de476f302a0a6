"""Root-mean-square normalization and its gradient on NeuronCores.

Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, equation 4. A row is one
element of *batch, its columns are *norm. Everything is computed in f32.
"""

import nki
import nki.isa as nisa
import nki.language as nl

ROWS, COLUMNS = 128, 512  # of a tile, at most: a matrix product gives 512 columns


@nki.jit
def nki_rms_norm(x, weight, eps):
    """Normalize each row. x: `*batch *norm`, weight: `*norm`.

    Returns y like x, in weight's dtype, and invvar, the factor of each row: `rows 1`, f32.
    """
    columns = _prod(weight.shape)
    rows = _prod(x.shape) // columns
    y = nl.ndarray(x.shape, dtype=weight.dtype, buffer=nl.shared_hbm)
    invvar = nl.ndarray((rows, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    of_x, of_y = x.reshape((rows, columns)), y.reshape((rows, columns))
    of_weight = weight.reshape((1, columns))

    for first in range(nl.program_id(0) * ROWS, rows, nl.num_programs(0) * ROWS):
        count = min(ROWS, rows - first)
        block = nl.ds(first, count)
        squares = nl.zeros((count, 1), dtype=nl.float32, buffer=nl.sbuf)
        for column in range(0, columns, COLUMNS):
            part = nl.ds(column, min(COLUMNS, columns - column))
            tile = nl.load(of_x[block, part], dtype=nl.float32)
            squares = nl.add(squares, nl.sum(nl.square(tile), axis=1, keepdims=True))
        scale = nl.rsqrt(nl.add(nl.multiply(squares, 1.0 / columns), eps))
        for column in range(0, columns, COLUMNS):
            shape = (count, min(COLUMNS, columns - column))
            part = nl.ds(column, shape[1])
            normal = nl.multiply(
                nl.load(of_x[block, part], dtype=nl.float32), nl.broadcast_to(scale, shape)
            )
            nl.store(of_y[block, part], nl.multiply(normal, _row(of_weight, part, shape)))
        nl.store(invvar[block, nl.ds(0, 1)], scale)
    return y, invvar


@nki.jit
def nki_rms_norm_bwd(dy, invvar, x, weight, eps):
    """Compute the gradients of `x` and `weight`.

    dy, x: `*batch *norm`, invvar: `*batch`, weight: `*norm`. Returns dx like x and dweight:
    `*norm`, f32. Each program adds up `dy * h` of its own rows, with `h = x * invvar`. Then the
    programs add up each other's sums.
    """
    rows, columns = _prod(invvar.shape), _prod(weight.shape)
    dx = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    dweight = nl.ndarray(weight.shape, dtype=nl.float32, buffer=nl.shared_hbm)
    of_dy, of_x = dy.reshape((rows, columns)), x.reshape((rows, columns))
    of_dx, of_weight = dx.reshape((rows, columns)), weight.reshape((1, columns))
    of_invvar = invvar.reshape((rows, 1))

    sums = nl.zeros((ROWS, columns), dtype=nl.float32, buffer=nl.sbuf)
    for first in range(nl.program_id(0) * ROWS, rows, nl.num_programs(0) * ROWS):
        count = min(ROWS, rows - first)
        block, used = nl.ds(first, count), nl.ds(0, count)
        scale = nl.load(of_invvar[block, nl.ds(0, 1)], dtype=nl.float32)
        products = nl.zeros((count, 1), dtype=nl.float32, buffer=nl.sbuf)
        for column in range(0, columns, COLUMNS):
            shape = (count, min(COLUMNS, columns - column))
            part = nl.ds(column, shape[1])
            slope = nl.load(of_dy[block, part], dtype=nl.float32)
            h = nl.multiply(
                nl.load(of_x[block, part], dtype=nl.float32), nl.broadcast_to(scale, shape)
            )
            own = nl.multiply(slope, h)
            added = sums[used, part]
            nisa.tensor_tensor(dst=added, data1=added, data2=own, op=nl.add)
            own = nl.multiply(own, _row(of_weight, part, shape))
            products = nl.add(products, nl.sum(own, axis=1, keepdims=True))
        mean = nl.multiply(products, 1.0 / columns)
        for column in range(0, columns, COLUMNS):
            shape = (count, min(COLUMNS, columns - column))
            part = nl.ds(column, shape[1])
            wide = nl.broadcast_to(scale, shape)
            h = nl.multiply(nl.load(of_x[block, part], dtype=nl.float32), wide)
            slope = nl.multiply(
                nl.load(of_dy[block, part], dtype=nl.float32), _row(of_weight, part, shape)
            )
            slope = nl.subtract(slope, nl.multiply(h, nl.broadcast_to(mean, shape)))
            nl.store(of_dx[block, part], nl.multiply(slope, wide))

    ones = nl.full((ROWS, 1), 1.0, dtype=nl.float32, buffer=nl.sbuf)
    shares = nl.ndarray((nl.num_programs(0), columns), dtype=nl.float32, buffer=nl.shared_hbm)
    every = nl.ds(0, ROWS)
    for column in range(0, columns, COLUMNS):
        part = nl.ds(column, min(COLUMNS, columns - column))
        share = nl.copy(nl.matmul(ones, nl.copy(sums[every, part]), transpose_x=True))
        nl.store(shares[nl.ds(nl.program_id(0), 1), part], share)
    if nl.num_programs(0) == 2:
        nisa.core_barrier(shares, (0, 1))
    if nl.program_id(0) == 0:
        for column in range(0, columns, COLUMNS):
            part = nl.ds(column, min(COLUMNS, columns - column))
            total = nl.load(shares[nl.ds(0, 1), part])
            if nl.num_programs(0) == 2:
                total = nl.add(total, nl.load(shares[nl.ds(1, 1), part]))
            nl.store(dweight.reshape((1, columns))[nl.ds(0, 1), part], total)
    return dx, dweight


def _row(weight, part, shape):
    """Return a part of the weight, repeated for every row of a tile."""
    return nl.broadcast_to(nl.load(weight[nl.ds(0, 1), part], dtype=nl.float32), shape)


def _prod(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product
