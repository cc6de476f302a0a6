def average(xp, averages, values, *, rate):
    """Update running averages. averages, values: lists, the i-th of each `*s[i]`. Returns the new
    averages.
    """
    return [a + rate * (v - a) for a, v in zip(averages, values)]
