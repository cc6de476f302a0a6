"""Reference of the roi_align family."""


def roi_align(
    xp, input, rois, *, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned=False
):
    """Return the mean of `sampling_ratio**2` bilinear samples in each bin of each box.

    He et al., Mask R-CNN, 2017. A sample that is more than a pixel outside of the image is 0.
    """
    wide = xp.float64 if input.dtype == xp.float64 else xp.float32
    n, c, h, w = input.shape
    k = rois.shape[0]
    boxes = xp.astype(rois, wide)
    batch = xp.clip(xp.astype(boxes[:, 0], xp.int64), min=0, max=n - 1)
    corners = boxes[:, 1:] * spatial_scale - (0.5 if aligned else 0.0)

    def weights(begin, end, bins, size):
        """Return the weight of each pixel along one axis in the mean of each bin: `k bins size`."""
        extent = end - begin if aligned else xp.maximum(end - begin, xp.ones_like(begin))
        sample = (xp.astype(xp.arange(bins * sampling_ratio), wide) + 0.5) / sampling_ratio
        place = begin[:, None] + extent[:, None] / bins * sample
        inside = (place >= -1.0) & (place <= size)
        place = xp.clip(place, min=0.0, max=size - 1.0)[..., None]
        tent = xp.clip(1 - xp.abs(place - xp.astype(xp.arange(size), wide)), min=0.0)
        tent = xp.where(inside[..., None], tent, xp.zeros_like(tent))
        return xp.mean(xp.reshape(tent, (k, bins, sampling_ratio, size)), axis=2)

    rows = weights(corners[:, 1], corners[:, 3], pooled_height, h)[:, None]
    columns = weights(corners[:, 0], corners[:, 2], pooled_width, w)[:, None]
    images = xp.take(xp.astype(input, wide), batch, axis=0)
    out = xp.matmul(xp.matmul(rows, images), xp.matrix_transpose(columns))
    return xp.astype(out, input.dtype)
