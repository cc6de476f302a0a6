def ls_quantize(xp, x, clip_max, clip_max_mask):
    x, cmax = xp.astype(x, xp.float32), xp.astype(clip_max, xp.float32)
    mask = xp.astype(x > cmax[0], xp.uint8) * 16 + xp.astype(x < -cmax[0], xp.uint8) * 32
    steps = xp.floor(xp.clip(x / cmax[0], -1, 1) * 127 + 0.5)
    alpha = cmax[0] * cmax[1] / (cmax[2] * 127)
    return xp.astype(steps, xp.int8), alpha, clip_max_mask | mask
