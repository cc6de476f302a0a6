def cg_tridiag(
    xp,
    matrix,
    rhs,
    guess,
    *,
    n_tridiag,
    tolerance,
    eps,
    stop_updating_after,
    max_iter,
    max_tridiag_iter,
):
    n = rhs.shape[-2]
    norm = xp.sqrt(xp.sum(rhs * rhs, axis=-2, keepdims=True))
    zero = norm < eps
    norm = xp.where(zero, xp.ones_like(norm), norm)
    b = rhs / norm
    x = xp.zeros_like(b) if guess is None else guess
    residual = b - matrix @ x
    direction, inner = residual, xp.sum(residual * residual, axis=-2, keepdims=True)
    converged = xp.sqrt(inner) < stop_updating_after
    one, none = xp.ones_like(inner), xp.zeros_like(inner)
    done = xp.zeros_like(xp.sum(inner)) > 1
    m = min(max_tridiag_iter, n)
    diagonal, off = [], []
    last_reciprocal = last_beta = None
    for k in range(min(max_iter, n)):
        image = matrix @ direction
        curvature = xp.sum(direction * image, axis=-2, keepdims=True)
        flat = curvature < eps
        alpha = xp.where(flat | converged, none, inner / xp.where(flat, one, curvature))
        alpha = xp.where(done, none, alpha)
        x = x + alpha * direction
        residual = residual - alpha * image
        new = xp.sum(residual * residual, axis=-2, keepdims=True)
        small = inner < eps
        beta = xp.where(small, none, new / xp.where(small, one, inner))
        direction, inner = residual + beta * direction, new
        size = xp.where(zero, none, xp.sqrt(new))
        converged = size < stop_updating_after
        if k < m:
            a = alpha[..., 0, :n_tridiag]
            reciprocal = 1 / xp.where(a == 0, xp.ones_like(a), a)
            if k == 0:
                diagonal.append(reciprocal)
            else:
                diagonal.append(reciprocal + last_beta * last_reciprocal)
                off.append(xp.sqrt(last_beta) * last_reciprocal)
            last_reciprocal, last_beta = reciprocal, beta[..., 0, :n_tridiag]
        elif k >= min(10, max_iter - 1):
            done = done | (xp.mean(size) < tolerance)
    x = x * norm
    if not n_tridiag:
        return x, None
    place = xp.arange(m)
    matrices = 0
    for i, value in enumerate(diagonal):
        matrices = matrices + value[..., None, None] * (
            (place == i)[:, None] & (place == i)[None, :]
        )
    for i, value in enumerate(off):
        there = ((place == i)[:, None] & (place == i + 1)[None, :]) | (
            (place == i + 1)[:, None] & (place == i)[None, :]
        )
        matrices = matrices + value[..., None, None] * there
    return x, xp.moveaxis(matrices, -3, 0)
