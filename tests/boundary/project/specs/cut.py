def cut(xp, x, *, sizes):
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    return ([x[end - size : end] for end, size in zip(ends, sizes)],)


def cut_bwd(xp, dparts, *, sizes):
    return xp.concat(list(dparts))


def between(xp, x, *, at):
    return ([x[begin:end] for begin, end in zip(at, at[1:])],)
