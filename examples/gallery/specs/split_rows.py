def split_rows(xp, x, *, sizes):
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    return ([x[end - size : end] for end, size in zip(ends, sizes)],)
