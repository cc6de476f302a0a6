LOG2_E = 1.44269504


def per_block_int8(xp, q, k, km, *, blkq, blkk, sm_scale, tensor_layout):
    token = 2 if tensor_layout == "HND" else 1
    q, k = xp.astype(q, xp.float32), xp.astype(k, xp.float32)
    if km is not None:
        k = k - xp.astype(km, xp.float32)
    return (*blocks(xp, q * (sm_scale * LOG2_E), blkq, token), *blocks(xp, k, blkk, token))


def blocks(xp, x, size, token):
    tokens = x.shape[token]
    count = -(-tokens // size)
    pads = list(x.shape)
    pads[token] = count * size - tokens
    padded = xp.concat([x, xp.zeros(tuple(pads), dtype=x.dtype)], axis=token)
    shape = (*x.shape[:token], count, size, *x.shape[token + 1 :])
    padded = xp.reshape(padded, shape)
    scale = xp.max(abs(padded), axis=(token + 1, len(shape) - 1), keepdims=True) / 127
    safe = xp.where(scale == 0, xp.ones_like(scale), scale)
    rounded = xp.reshape(
        xp.round(padded / safe), (*x.shape[:token], count * size, *x.shape[token + 1 :])
    )
    rounded = rounded[:, :, :tokens] if token == 2 else rounded[:, :tokens]
    scale = xp.reshape(
        scale, tuple(n for i, n in enumerate(scale.shape) if i not in (token + 1, len(shape) - 1))
    )
    return xp.astype(rounded, xp.int8), scale if token == 2 else xp.matrix_transpose(scale)
