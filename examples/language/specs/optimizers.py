def momentum(xp, params, grads, momenta, lr, *, momentum):
    """Make a step of SGD. params, grads, momenta: lists of tensors, the i-th of shape `*s[i]`.
    Returns the new params and the new momenta.
    """
    momenta = [momentum * m + g for m, g in zip(momenta, grads)]
    steps = (xp.astype(lr, p.dtype) * m for p, m in zip(params, momenta))
    return [p - step for p, step in zip(params, steps)], momenta
