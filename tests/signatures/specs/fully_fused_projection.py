"""Reference of the fully_fused_projection family."""


def fully_fused_projection(
    xp,
    means,
    viewmats,
    Ks,
    covars=None,
    quats=None,
    scales=None,
    opacities=None,
    *,
    width,
    height,
    eps2d,
    camera_model,
    near_plane,
    far_plane,
    radius_clip,
    calc_compensations,
):
    """Project 3D Gaussians onto the images of cameras.

    Zwicker et al., EWA splatting, 2001; Kerbl et al., 3D Gaussian Splatting, 2023. A radius is
    three standard deviations, or the distance at which the opacity falls below 1/255 if that is
    smaller. All results of an invisible Gaussian are 0.
    """
    if covars is None:
        covars = _from_quats(xp, quats, scales)
    else:
        a, b, c, d, e, f = (covars[..., i] for i in range(6))
        covars = _matrix(xp, [[a, b, c], [b, d, e], [c, e, f]])
    turn, move = viewmats[..., None, :3, :3], viewmats[..., None, :3, 3]  # c 1
    at = xp.matmul(turn, means[..., None, :, :, None])[..., 0] + move  # c n 3
    covars = xp.matmul(xp.matmul(turn, covars[..., None, :, :, :]), xp.matrix_transpose(turn))
    x, y, z = at[..., 0], at[..., 1], at[..., 2]
    seen = (z > near_plane) & (z < far_plane)
    z_ = xp.where(seen, z, xp.ones_like(z))
    fx, fy = Ks[..., 0, 0, None], Ks[..., 1, 1, None]
    cx, cy = Ks[..., 0, 2, None], Ks[..., 1, 2, None]
    none = xp.zeros_like(z)
    if camera_model == "ortho":
        u, v = fx * x + cx, fy * y + cy
        jacobian = [[fx + none, none, none], [none, fy + none, none]]
    else:
        u, v = fx * x / z_ + cx, fy * y / z_ + cy
        # Far outside of the image the projection is linear, as in the original.
        tx = z_ * xp.clip(x / z_, min=-1e3, max=1e3)
        ty = z_ * xp.clip(y / z_, min=-1e3, max=1e3)
        jacobian = [[fx / z_, none, -fx * tx / z_**2], [none, fy / z_, -fy * ty / z_**2]]
    jacobian = _matrix(xp, jacobian)
    flat = xp.matmul(xp.matmul(jacobian, covars), xp.matrix_transpose(jacobian))
    a, b, c = flat[..., 0, 0], flat[..., 0, 1], flat[..., 1, 1]
    before = a * c - b * b
    a, c = a + eps2d, c + eps2d
    area = a * c - b * b
    conics = xp.stack([c / area, -b / area, a / area], axis=-1)
    extent = xp.full_like(z, 3.0)
    if opacities is not None:
        faint = opacities[..., None, :] * 255
        seen = seen & (faint >= 1)
        limit = xp.sqrt(2 * xp.log(xp.maximum(faint, xp.ones_like(faint))))
        extent = xp.minimum(extent, limit + none)
    radii = xp.stack([xp.ceil(extent * xp.sqrt(a)), xp.ceil(extent * xp.sqrt(c))], axis=-1)
    seen = seen & ((radii[..., 0] > radius_clip) | (radii[..., 1] > radius_clip))
    seen = seen & (u + radii[..., 0] > 0) & (u - radii[..., 0] < width)
    seen = seen & (v + radii[..., 1] > 0) & (v - radii[..., 1] < height)

    def where(m):
        mask = seen if m.ndim == seen.ndim else seen[..., None]
        return xp.where(mask, m, xp.zeros_like(m))

    ratio = xp.sqrt(xp.clip(before / area, min=1e-12)) if calc_compensations else None
    return (
        xp.astype(where(radii), xp.int32),
        where(xp.stack([u, v], axis=-1)),
        where(z),
        where(conics),
        None if ratio is None else where(ratio),
    )


def _matrix(xp, rows):
    return xp.stack([xp.stack(row, axis=-1) for row in rows], axis=-2)


def _from_quats(xp, quats, scales):
    q = quats / xp.sqrt(xp.sum(quats * quats, axis=-1, keepdims=True))
    w, x, y, z = (q[..., i] for i in range(4))
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    half = _matrix(xp, rows) * scales[..., None, :]
    return xp.matmul(half, xp.matrix_transpose(half))
