"""`a + b` on NeuronCores, in tiles of 128x512."""

import nki
import nki.language as nl

ROWS, COLUMNS = 128, 512  # of a tile; 128 partitions are the most that one has


@nki.jit
def nki_tensor_add(a, b):
    """Compute `a + b`. a, b: `m n`, multiples of the tile. Returns c: `m n`.

    Programs take turns: with two of them, each computes every second row of tiles.
    """
    m, n = a.shape
    c = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for first in range(nl.program_id(0) * ROWS, m, nl.num_programs(0) * ROWS):
        rows = nl.ds(first, ROWS)
        for column in range(0, n, COLUMNS):
            columns = nl.ds(column, COLUMNS)
            total = nl.add(nl.load(a[rows, columns]), nl.load(b[rows, columns]))
            nl.store(c[rows, columns], total)
    return c
