def heads_first(xp, x, *, order, wide):
    """Move the heads to the first dim. x: `t h d` or `h t d`, by `order`. Returns y: `h t d`."""
    y = xp.permute_dims(x, (1, 0, 2)) if order == "THD" else x
    return xp.astype(y, xp.float32) if wide else y


def last_token(xp, x, offsets=None):
    """Return the last token of each sequence. x: [t, d] with offsets [b + 1], else [b, t, d].
    Returns y: [b, d].
    """
    return x[:, -1] if offsets is None else xp.take(x, offsets[1:] - 1, axis=0)
