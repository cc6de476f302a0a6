"""`a + b` on a NeuronCore, one program for each 128x512 tile."""

try:
    import nki
    import nki.language as nl
except ImportError:  # an SDK in which NKI is a part of the compiler
    import neuronxcc.nki as nki  # type: ignore
    import neuronxcc.nki.language as nl  # type: ignore

ROWS = 128  # what a tile has in the partition dimension, at most
COLUMNS = 512


@nki.jit
def nki_tensor_add(a, b):
    """a, b: `m n`, in tiles without a rest; grid (m // 128, n // 512). Returns c: `m n`."""
    c = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    rows = nl.ds(nl.program_id(0) * ROWS, ROWS)
    columns = nl.ds(nl.program_id(1) * COLUMNS, COLUMNS)
    total = nl.add(nl.load(a[rows, columns]), nl.load(b[rows, columns]))
    nl.store(c[rows, columns], total)
    return c
