"""`silu(gate) * up` of the halves of rows on a NeuronCore, one program for each 128 rows.

Shazeer, GLU Variants Improve Transformer, 2020. A row is one element of *batch. All is computed
in f32.
"""

try:
    import nki
    import nki.language as nl
except ImportError:  # an SDK in which NKI is a part of the compiler
    import neuronxcc.nki as nki  # type: ignore
    import neuronxcc.nki.language as nl  # type: ignore

ROWS = 128  # what a tile has in the partition dimension, at most
COLUMNS = 2048  # of each half at a time: what is computed must fit into SBUF


@nki.jit
def nki_silu_and_mul(x):
    """x: `*batch 2*d`, prod(batch) a multiple of 128.

    Grid (prod(batch) // 128,). Returns y: `*batch d`, in x's dtype.
    """
    batch, d = x.shape[:-1], x.shape[-1] // 2
    rows = 1
    for size in batch:
        rows *= size
    y = nl.ndarray((*batch, d), dtype=x.dtype, buffer=nl.shared_hbm)
    of_x, of_y = x.reshape((rows, 2 * d)), y.reshape((rows, d))

    block = nl.ds(nl.program_id(0) * ROWS, ROWS)
    for first in range(0, d, COLUMNS):
        columns = min(COLUMNS, d - first)
        gate = nl.load(of_x[block, nl.ds(first, columns)], dtype=nl.float32)
        up = nl.load(of_x[block, nl.ds(d + first, columns)], dtype=nl.float32)
        nl.store(of_y[block, nl.ds(first, columns)], nl.multiply(nl.silu(gate), up))
    return y
