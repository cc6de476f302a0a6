"""Reference of the fused_linear_cross_entropy family."""


def fused_linear_cross_entropy(
    xp,
    input,
    weight,
    target,
    bias=None,
    ce_weight=None,
    *,
    ignore_index,
    lse_square_scale,
    label_smoothing,
    softcap,
    use_token_scaling,
    reduction,
    return_z_loss,
    return_token_accuracy,
    return_predicted_tokens,
):
    """Return the cross-entropy of `softmax(input @ weight.T + bias)` and the targets.

    The loss includes z_loss, `lse_square_scale` times the squared log-sum-exp. Class weights
    multiply the losses of tokens, and a mean divides by the sum of the weights. z_loss and the
    accuracy are not weighted. Returns loss, z_loss, accuracy, predicted.
    """
    wide = xp.float64 if input.dtype == xp.float64 else xp.float32
    logits = xp.matmul(xp.astype(input, wide), xp.astype(weight, wide).T)
    if bias is not None:
        logits = logits + xp.astype(bias, wide)
    if softcap is not None:
        logits = softcap * xp.tanh(logits / softcap)
    counts = target != ignore_index
    label = xp.where(counts, target, xp.zeros_like(target))
    hot = label[:, None] == xp.arange(weight.shape[0], dtype=target.dtype)
    most = xp.max(logits, axis=1, keepdims=True)
    lse = (most + xp.log(xp.sum(xp.exp(logits - most), axis=1, keepdims=True)))[:, 0]
    logs = logits - lse[:, None]
    of_class = xp.ones_like(logs[0, :]) if ce_weight is None else xp.astype(ce_weight, wide)

    def picked(x):
        return xp.sum(xp.where(hot, x, xp.zeros_like(x)), axis=1)

    scale = picked(of_class + xp.zeros_like(logs))
    loss = -scale * picked(logs)
    if label_smoothing:
        spread = -xp.sum(of_class * logs, axis=1) / weight.shape[0]
        loss = (1 - label_smoothing) * loss + label_smoothing * spread
    if use_token_scaling:
        loss = loss * xp.exp(picked(logs))
    z_loss = lse_square_scale * lse * lse
    predicted = xp.argmax(logits, axis=1)
    exact = xp.astype(predicted == label, wide)

    def reduced(each, by):
        each = xp.where(counts, each, xp.zeros_like(each))
        if reduction == "none":
            return each
        total = xp.sum(each)
        if reduction == "sum":
            return total
        return total / xp.sum(xp.where(counts, by, xp.zeros_like(by)))

    ones = xp.ones_like(scale)
    results = (
        reduced(loss, scale) + reduced(z_loss, ones),
        reduced(z_loss, ones) if return_z_loss else None,
        reduced(exact, ones) if return_token_accuracy else None,
    )
    masked = xp.where(counts, xp.astype(predicted, xp.int64), xp.full_like(target, -1))
    return (*results, masked if return_predicted_tokens else None)
