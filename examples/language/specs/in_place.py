def average(xp, averages, values, *, rate):
    """Update running averages. averages, values: lists of tensors, the i-th of shape `*s[i]`.
    Returns the new averages.
    """
    return [a + rate * (v - a) for a, v in zip(averages, values)]
