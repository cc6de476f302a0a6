"""Reference of the spatial_correlation family."""


def spatial_correlation(
    xp, input1, input2, *, kernel_size, patch_size, padding, dilation, dilation_patch, stride
):
    """Return, for each displacement, the sums over channels and taps of `input1 * input2`.

    Fischer et al., FlowNet, 2015.
    """
    n, c, h, w = input1.shape
    oh, ow = (
        (size + 2 * padding[i] - ((kernel_size[i] - 1) * dilation[i] + 1)) // stride[i] + 1
        for i, size in enumerate((h, w))
    )

    def sampled(image, move, tap):
        """Return the pixels of one tap of a displaced image, 0 outside of it: `n c oh ow`."""
        for axis, (out, size) in enumerate(((oh, h), (ow, w))):
            place = xp.arange(out) * stride[axis] - padding[axis] + tap[axis] * dilation[axis]
            place = place + move[axis]
            line = xp.astype(place[:, None] == xp.arange(size), image.dtype)
            image = xp.matmul(line, image) if axis == 0 else xp.matmul(image, line.T)
        return image

    rows = []
    for i in range(patch_size[0]):
        for j in range(patch_size[1]):
            by = [
                (at - (patch_size[m] - 1) // 2) * dilation_patch[m] for m, at in enumerate((i, j))
            ]
            total = xp.zeros((n, oh, ow), dtype=input1.dtype)
            for a in range(kernel_size[0]):
                for b in range(kernel_size[1]):
                    product = sampled(input1, (0, 0), (a, b)) * sampled(input2, by, (a, b))
                    total = total + xp.sum(product, axis=1)
            rows.append(total)
    return xp.reshape(xp.stack(rows, axis=1), (n, *patch_size, oh, ow))
