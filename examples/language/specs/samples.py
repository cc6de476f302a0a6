def swap_bytes(xp, x):
    """Swap the two bytes of each 16-bit element. x: `*s`. Returns y: `*s`."""
    return ((x & 255) << 8) | ((x >> 8) & 255)
