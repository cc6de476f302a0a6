"""`max(x, 0)` on a NeuronCore, one program for each 128 rows."""

try:
    import nki
    import nki.language as nl
except ImportError:  # an SDK in which NKI is a part of the compiler
    import neuronxcc.nki as nki  # type: ignore
    import neuronxcc.nki.language as nl  # type: ignore

ROWS = 128  # what a tile has in the partition dimension, at most


@nki.jit
def nki_relu(x):
    """x: `rows columns`, rows a multiple of 128; grid (rows // 128,). Returns y like x."""
    y = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    rows = nl.ds(nl.program_id(0) * ROWS, ROWS)
    columns = nl.ds(0, x.shape[1])
    nl.store(y[rows, columns], nl.maximum(nl.load(x[rows, columns]), 0))
    return y
