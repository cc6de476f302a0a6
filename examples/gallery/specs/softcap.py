def softcap(xp, x, *, cap):
    return cap * xp.tanh(x / cap)
