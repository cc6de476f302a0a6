import math


def attend(xp, q, k, v):
    scores = q @ xp.matrix_transpose(k) / math.sqrt(q.shape[-1])
    weights = xp.exp(scores - xp.max(scores, axis=-1, keepdims=True))
    return weights / xp.sum(weights, axis=-1, keepdims=True) @ v
