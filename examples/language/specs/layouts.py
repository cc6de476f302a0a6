def heads_first(xp, x, *, order, wide):
    """x: `t h d` or `h t d`, as `order` says. Returns y: `h t d`."""
    y = xp.permute_dims(x, (1, 0, 2)) if order == "THD" else x
    return xp.astype(y, xp.float32) if wide else y
