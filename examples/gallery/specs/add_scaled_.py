def add_scaled_(xp, x, y, *, alpha):
    return x + alpha * y
