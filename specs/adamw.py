"""Reference of the adamw family."""

import math


def adamw(
    xp,
    params,
    grads,
    exp_avgs,
    exp_avg_sqs,
    step,
    lr,
    max_exp_avg_sqs=None,
    *,
    beta1,
    beta2,
    eps,
    weight_decay,
    amsgrad,
    maximize,
):
    """Compute one AdamW step. `step` counts from 1, so it is incremented first.

    For every parameter `p` with gradient `g` (`-g` with `maximize`):

        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g**2
        u = max(u, v) with amsgrad, else v
        p = (1 - lr * weight_decay) * p
            - lr * m / (1 - beta1**step) / (sqrt(u) / sqrt(1 - beta2**step) + eps)

    Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019, algorithm 2;
    Reddi, Kale and Kumar, On the Convergence of Adam and Beyond, 2018, algorithm 2.
    Everything is computed in f32 (f64 for f64 params). The parameters are computed from moments
    that are not rounded yet.

    params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs (None without `amsgrad`): lists of
    tensors, the i-th of each `*s[i]`; step, lr: scalars. Returns the updated params, exp_avgs,
    exp_avg_sqs, step and max_exp_avg_sqs.
    """
    step = step + 1
    new_params, new_avgs, new_sqs, new_maxima = [], [], [], []
    maxima = max_exp_avg_sqs if amsgrad else [None] * len(params)
    for p, g, avg, sq, largest in zip(params, grads, exp_avgs, exp_avg_sqs, maxima):
        wide = xp.float64 if p.dtype == xp.float64 else xp.float32
        rate, count = xp.astype(lr, wide), xp.astype(step, wide)
        bias1 = _bias_correction(xp, beta1, count)
        bias2 = _bias_correction(xp, beta2, count)
        gw = -xp.astype(g, wide) if maximize else xp.astype(g, wide)
        m = beta1 * xp.astype(avg, wide) + (1.0 - beta1) * gw
        v = beta2 * xp.astype(sq, wide) + (1.0 - beta2) * gw * gw
        new_avgs.append(xp.astype(m, avg.dtype))
        new_sqs.append(xp.astype(v, sq.dtype))
        if amsgrad:
            v = xp.maximum(xp.astype(largest, wide), v)
            new_maxima.append(xp.astype(v, largest.dtype))
        change = m / bias1 / (xp.sqrt(v) / xp.sqrt(bias2) + eps)
        pw = xp.astype(p, wide) * (1.0 - rate * weight_decay) - rate * change
        new_params.append(xp.astype(pw, p.dtype))
    return new_params, new_avgs, new_sqs, step, new_maxima if amsgrad else None


def _bias_correction(xp, beta, step):
    """Return `1 - beta**step`, without the cancellation that f32 would have."""
    return -xp.expm1(step * (math.log(beta) if beta > 0.0 else -math.inf))
