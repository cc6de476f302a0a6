def swap_bytes(xp, x):
    """Swap the bytes of each pair. x: `*s`. Returns y: `*s`."""
    return ((x & 255) << 8) | ((x >> 8) & 255)
