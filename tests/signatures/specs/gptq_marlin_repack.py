OFFSETS = (0, 1, 8, 9)
ORDER = {4: (0, 2, 4, 6, 1, 3, 5, 7), 8: (0, 2, 1, 3)}


def gptq_marlin_repack(xp, b_q_weight, perm, *, size_k, size_n, num_bits):
    """Return a quantized weight in packed tiles of 16 by 64 values.

    b_q_weight: `size_k//pack size_n`, words of `pack` values along k.
    """
    pack, mask = 32 // num_bits, 2**num_bits - 1
    shifts = num_bits * xp.arange(pack, dtype=xp.int32)
    values = (b_q_weight[:, None, :] >> shifts[None, :, None]) & mask
    values = xp.reshape(values, (size_k, size_n))
    if perm is not None:
        values = xp.take(values, perm, axis=0)
    tiles = xp.reshape(values, (size_k // 16, 16, size_n // 64, 64))
    tiles = xp.permute_dims(tiles, (0, 2, 1, 3))  # k n 16 64
    words = []
    for lane in range(32):
        column, row = lane // 4, lane % 4 * 2
        for warp in range(4):
            place = warp * 16 + column
            found = [tiles[:, :, row + at, place + add] for add in (0, 8) for at in OFFSETS]
            groups = [found] if num_bits == 4 else [found[:4], found[4:]]
            for group in groups:
                word = group[0]
                for i, at in enumerate(ORDER[num_bits][1:], 1):
                    word = word | (group[at] << (num_bits * i))
                words.append(word)
    return xp.reshape(xp.stack(words, axis=-1), (size_k // 16, size_n * 16 // pack))
