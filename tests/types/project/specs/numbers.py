def turned(xp, x, *, alpha, beta):
    return alpha.real * x + beta.real, alpha.imag * x + beta.imag


def referred(xp, x, *, alpha, gamma):
    return (alpha if gamma is None else gamma).real * x
