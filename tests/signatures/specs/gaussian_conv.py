def gaussian_conv(xp, gamma, x, y, b):
    difference = x[..., :, None, :] - y[..., None, :, :]
    return xp.exp(-gamma * xp.sum(difference * difference, axis=-1)) @ b
