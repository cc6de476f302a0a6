"""Rotary embedding on NeuronCores.

Su et al., RoFormer, 2021, equation 34. A row is a token; its angles are a row of the table.
"""

import nki
import nki.isa as nisa
import nki.language as nl

ROWS = 128  # of a tile, at most


@nki.jit
def nki_rotary(q, positions, cos_sin, k, style, inverse):
    """Rotate `q` and `k`. Return q_out, and k_out if `k` is not None, with the same shapes.

    The shapes are q, k: `*lead t heads d`; positions: `*lead t` or `t`, i32; cos_sin: `p 2*r`.
    """
    q_out = nl.ndarray(q.shape, dtype=q.dtype, buffer=nl.shared_hbm)
    _rotate(q, positions, cos_sin, q_out, style, inverse)
    if k == None:  # noqa: E711, NKI has no `is`
        return q_out
    k_out = nl.ndarray(k.shape, dtype=k.dtype, buffer=nl.shared_hbm)
    _rotate(k, positions, cos_sin, k_out, style, inverse)
    return q_out, k_out


def _rotate(x, positions, cos_sin, out, style, inverse):
    heads, d = x.shape[-2], x.shape[-1]
    rows, table = _prod(x.shape[:-2]), cos_sin.shape[1]
    r, known = table // 2, _prod(positions.shape)
    of_x, of_out = x.reshape((rows, heads * d)), out.reshape((rows, heads * d))
    of_positions = positions.reshape((known, 1))
    columns = nl.ds(0, heads * d)
    for lead in range(0, rows, known):
        for first in range(nl.program_id(0) * ROWS, known, nl.num_programs(0) * ROWS):
            count = min(ROWS, known - first)
            block, every = nl.ds(lead + first, count), nl.ds(0, count)
            where = nl.load(of_positions[nl.ds(first, count), nl.ds(0, 1)])
            angles = nl.ndarray((count, table), dtype=cos_sin.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=angles, src=cos_sin.vector_select(0, where))
            cos = nl.copy(angles[every, nl.ds(0, r)], dtype=nl.float32)
            sin = nl.copy(angles[every, nl.ds(r, r)], dtype=nl.float32)
            if inverse:
                sin = nl.multiply(sin, -1.0)
            tile = nl.load(of_x[block, columns], dtype=nl.float32)
            turned = nl.copy(tile)
            for head in range(heads):
                begin = head * d
                if style == "half":
                    left, right = slice(begin, begin + r), slice(begin + r, begin + 2 * r)
                else:
                    left, right = slice(begin, begin + 2 * r, 2), slice(begin + 1, begin + 2 * r, 2)
                a, b = tile[every, left], tile[every, right]
                nisa.tensor_tensor(
                    dst=turned[every, left],
                    data1=nl.multiply(a, cos),
                    data2=nl.multiply(b, sin),
                    op=nl.subtract,
                )
                nisa.tensor_tensor(
                    dst=turned[every, right],
                    data1=nl.multiply(b, cos),
                    data2=nl.multiply(a, sin),
                    op=nl.add,
                )
            nl.store(of_out[block, columns], turned)


def _prod(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product
