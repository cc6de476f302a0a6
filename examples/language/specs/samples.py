def swap_bytes(xp, x):
    """x: `*s`. Returns y: `*s`."""
    return ((x & 255) << 8) | ((x >> 8) & 255)
