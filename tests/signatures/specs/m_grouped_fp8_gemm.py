def m_grouped_fp8_gemm(
    xp,
    a_data,
    a_scale,
    b_data,
    b_scale,
    grouped_layout,
    *,
    recipe,
    compiled_dims,
    disable_ue8m0_cast,
    use_psum_layout,
):
    m, k = a_data.shape
    g, n, _ = b_data.shape
    if a_scale.dtype == xp.int32:
        a_scale, b_scale = powers(xp, a_scale), powers(xp, b_scale)
    else:
        b_scale = wide(xp, b_scale, 1, n)
    a = xp.astype(a_data, xp.float32) * wide(xp, a_scale, 1, k)
    b = xp.astype(b_data, xp.float32) * wide(xp, b_scale, 2, k)
    if use_psum_layout:
        row = xp.arange(m, dtype=xp.int32)
        begin = xp.concat([0 * grouped_layout[:1], (grouped_layout[:-1] + 127) // 128 * 128])
        there = (row[:, None] >= begin) & (row[:, None] < grouped_layout)
    else:
        there = grouped_layout[:, None] == xp.arange(g, dtype=xp.int32)
    every = a[None] @ xp.matrix_transpose(b)  # g m n
    return xp.astype(
        xp.sum(
            xp.where(xp.matrix_transpose(there)[..., None], every, xp.zeros_like(every)), axis=0
        ),
        xp.bfloat16,
    )


def powers(xp, words):
    """The four powers of two in each word: a byte each, the exponent plus 127."""
    exponents = words[..., None] >> xp.arange(0, 32, 8, dtype=xp.int32) & 255
    exponents = xp.reshape(exponents, (*words.shape[:-1], 4 * words.shape[-1]))
    return 2.0 ** xp.astype(exponents - 127, xp.float32)


def wide(xp, scale, axis, size, block=128):
    index = xp.arange(size) // block
    return xp.take(scale, index, axis=axis)
