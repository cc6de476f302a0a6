"""Root-mean-square normalization on a NeuronCore, one program for each 128 rows.

Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, equation 4. A row is one
element of *batch, its columns are *norm. All is computed in f32.
"""

try:
    import nki
    import nki.language as nl
except ImportError:  # an SDK in which NKI is a part of the compiler
    import neuronxcc.nki as nki  # type: ignore
    import neuronxcc.nki.language as nl  # type: ignore

ROWS = 128  # what a tile has in the partition dimension, at most


@nki.jit
def nki_rms_norm(x, weight, eps):
    """x: `*batch *norm`, weight: `*norm`, prod(batch) a multiple of 128.

    Grid (prod(batch) // 128,). Returns y like x, in weight's dtype, and invvar: `*batch`,
    f32: what each row was scaled by.
    """
    batch = x.shape[: len(x.shape) - len(weight.shape)]
    rows, columns = _prod(batch), _prod(weight.shape)
    y = nl.ndarray(x.shape, dtype=weight.dtype, buffer=nl.shared_hbm)
    invvar = nl.ndarray(batch, dtype=nl.float32, buffer=nl.shared_hbm)

    block, all_columns = nl.ds(nl.program_id(0) * ROWS, ROWS), nl.ds(0, columns)
    tile = nl.load(x.reshape((rows, columns))[block, all_columns], dtype=nl.float32)
    squares = nl.sum(nl.square(tile), axis=1, keepdims=True)  # ROWS 1
    scale = nl.rsqrt(nl.add(nl.multiply(squares, 1.0 / columns), eps))  # ROWS 1
    factors = nl.load(weight.reshape((1, columns))[nl.ds(0, 1), all_columns], dtype=nl.float32)
    normal = nl.multiply(tile, nl.broadcast_to(scale, shape=(ROWS, columns)))
    scaled = nl.multiply(normal, nl.broadcast_to(factors, shape=(ROWS, columns)))
    nl.store(y.reshape((rows, columns))[block, all_columns], scaled)
    nl.store(invvar.reshape((rows, 1))[block, nl.ds(0, 1)], scale)
    return y, invvar


def _prod(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product
