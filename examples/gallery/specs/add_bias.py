def add_bias(xp, x, bias):
    return x + 0 if bias is None else x + bias
