"""Reference of the varlen_attention family."""

from array_api_compat import device

MASK = 0xFFFFFFFF


def varlen_attention(
    xp,
    q,
    k,
    v,
    cu_q,
    cu_k,
    block_table=None,
    alibi=None,
    seed=None,
    offset=None,
    *,
    max_q,
    max_k,
    scale,
    causal,
    window,
    dropout,
):
    """Return `dropout(softmax(scale * q @ k^T + bias)) @ v` within each of `b` sequences.

    Query head `h` reads key head `h // g`. The last query of a sequence is aligned with its last
    key: query `i` of `n_q` has position `i + n_k - n_q` among `n_k` keys. It sees the keys from
    `window[0]` positions before its own to `window[1]` after it; -1 means all. With `causal` it
    sees none after. If it sees no key, the result is 0. With `alibi` the bias of key `j` is
    `-alibi[h] * abs(position - j)`. Dropout drops the probability of key `j` for token `t` and head
    `h` by random word `(h*tq + t)*max_k + j`, as in the reference of dropout. This reference
    computes all pairs, so `max_q` does not matter. Vaswani et al., Attention Is All You Need, 2017,
    equation 1; Press, Smith and Lewis, Train Short, Test Long, 2022 (alibi).

    q: `tq hk*g d`; k: `tk hk d`; v: `tk hk e`; cu_q, cu_k: `b+1`, the starts of the sequences;
    alibi: `hk*g`, `b hk*g` or None; seed, offset: int64 scalars, None without dropout. Returns out:
    `tq hk*g e`, in q's dtype.

    block_table: `b mb` or None. With it, k is `nb bs hk d` and v is `nb bs hk e`, and key `j` of a
    sequence is row `j % bs` of block `block_table[j // bs]`.
    """
    wide = xp.float64 if q.dtype == xp.float64 else xp.float32
    where = device(q)
    tq, heads, d = q.shape
    hk, e = v.shape[-2:]
    g = heads // hk

    token = xp.arange(tq, dtype=cu_q.dtype, device=where)
    seq_q = xp.searchsorted(cu_q[1:], token, side="right")
    length_k = cu_k[1:] - cu_k[:-1]
    # Places are counted from the first key. The last query is at the place of the last key.
    place = token - xp.take(cu_q[1:], seq_q) + xp.take(length_k, seq_q)  # tq
    k, v, seq_k, j = _keys(xp, k, v, cu_k, block_table)

    distance = j - place[:, None]  # tq t
    visible = seq_q[:, None] == seq_k
    if window[0] >= 0:
        visible = visible & (distance >= -window[0])
    if window[1] >= 0:
        visible = visible & (distance <= window[1])
    if causal:
        visible = visible & (distance <= 0)

    qw = xp.permute_dims(xp.reshape(xp.astype(q, wide), (tq, hk, g, d)), (1, 2, 0, 3))
    kw = xp.permute_dims(xp.astype(k, wide), (1, 2, 0))[:, None]  # hk 1 d t
    vw = xp.permute_dims(xp.astype(v, wide), (1, 0, 2))[:, None]  # hk 1 t e
    scores = scale * xp.matmul(qw, kw)  # hk g tq t
    if alibi is not None:
        slopes = xp.astype(alibi, wide)
        if alibi.ndim == 2:
            slopes = xp.matrix_transpose(xp.take(slopes, seq_q, axis=0))  # hk*g tq
        else:
            slopes = slopes[:, None]
        slopes = xp.reshape(slopes, (hk, g, slopes.shape[1], 1))
        scores = scores - slopes * xp.astype(xp.abs(distance), wide)

    scores = xp.where(visible, scores, xp.full_like(scores, xp.finfo(wide).min))
    weights = xp.exp(scores - xp.max(scores, axis=-1, keepdims=True))
    weights = xp.where(visible, weights, xp.zeros_like(weights))
    total = xp.sum(weights, axis=-1, keepdims=True)
    weights = weights / xp.where(total > 0.0, total, xp.ones_like(total))
    if dropout > 0.0:
        row = xp.arange(heads * tq, dtype=xp.int64, device=where)
        index = xp.reshape(row, (hk, g, tq, 1)) * max_k + xp.astype(j, xp.int64)
        word = random_words(xp, seed, offset, xp.reshape(index, (-1,)))
        keep = xp.reshape(word >= int(dropout * 2**32), weights.shape)
        weights = xp.where(keep, weights / (1.0 - dropout), xp.zeros_like(weights))
    out = xp.permute_dims(xp.matmul(weights, vw), (2, 0, 1, 3))  # tq hk g e
    return xp.astype(xp.reshape(out, (tq, heads, e)), q.dtype)


def _keys(xp, k, v, cu_k, block_table):
    """Return all keys and values in one row, with the sequence of each and its position `j` there.

    Sequence -1 stands for no sequence. A paged cache has such keys past the end of a sequence;
    their values are read as 0. One more such key ensures that no maximum is over nothing.

    Returns k: `t hk d`; v: `t hk e`; sequence, j: `t`.
    """
    where, index = device(k), cu_k.dtype
    if block_table is None:
        row = xp.arange(k.shape[0], dtype=index, device=where)
        sequence = xp.astype(xp.searchsorted(cu_k[1:], row, side="right"), index)
        j = row - xp.take(cu_k, sequence)
    else:
        (nb, bs), (b, mb) = k.shape[:2], block_table.shape
        row = xp.arange(mb * bs, dtype=index, device=where)
        j = xp.tile(row, (b,))
        sequence = xp.repeat(xp.arange(b, dtype=index, device=where), mb * bs)
        length = xp.take(cu_k[1:] - cu_k[:-1], sequence)
        sequence = xp.where(j < length, sequence, xp.full_like(sequence, -1))
        slots = block_table[:, :, None] * bs + row[:bs]
        slots = xp.reshape(slots, (b * mb * bs,))
        k = xp.take(xp.reshape(k, (nb * bs, *k.shape[2:])), slots, axis=0)
        v = xp.take(xp.reshape(v, (nb * bs, *v.shape[2:])), slots, axis=0)
        v = xp.where((sequence >= 0)[:, None, None], v, xp.zeros_like(v))
    nobody = xp.full((1,), -1, dtype=index, device=where)
    zero_k = xp.zeros((1, *k.shape[1:]), dtype=k.dtype, device=where)
    zero_v = xp.zeros((1, *v.shape[1:]), dtype=v.dtype, device=where)
    return (
        xp.concat((k, zero_k)),
        xp.concat((v, zero_v)),
        xp.concat((sequence, nobody)),
        xp.concat((j, nobody)),
    )


def random_words(xp, seed, offset, index):
    """Return word `index % 4` of Philox 4x32-10 with key `seed`, as an int64.

    The counter is `index // 4 + offset * 2**64`. Salmon, Moraes, Dror and Shaw, Parallel Random
    Numbers: As Easy as 1, 2, 3, 2011. Products of 64 bits wrap around, as int64 does in every
    namespace (in JAX with x64 enabled).

    seed, offset: int64 scalars; index: `n`, int64, below 2**63. Returns `n` words.
    """
    seed, offset = xp.astype(seed, xp.int64), xp.astype(offset, xp.int64)
    block = index >> 2
    zero = xp.zeros_like(index)
    c0, c1 = block & MASK, block >> 32 & MASK
    c2, c3 = zero + (offset & MASK), zero + (offset >> 32 & MASK)
    k0, k1 = seed & MASK, seed >> 32 & MASK
    for _ in range(10):
        m0, m1 = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c1, c2, c3 = (
            (m1 >> 32 & MASK) ^ c1 ^ k0,
            m1 & MASK,
            (m0 >> 32 & MASK) ^ c3 ^ k1,
            m0 & MASK,
        )
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    word = index & 3
    return xp.where(word < 2, xp.where(word == 0, c0, c1), xp.where(word == 2, c2, c3))
