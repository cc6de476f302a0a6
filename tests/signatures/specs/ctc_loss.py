"""Reference of the ctc_loss family."""


def longest(target_lengths):
    """Return the length of the longest sequence of targets."""
    return max((0, *target_lengths))


def ctc_loss(
    xp, log_probs, targets, *, input_lengths, target_lengths, blank, zero_infinity, longest
):
    """Return the CTC loss of each sequence.

    Graves et al., Connectionist Temporal Classification, 2006. If this function is traced, the
    loops over sequences, frames and labels are unrolled.
    """
    wide, at, losses = log_probs.dtype, 0, []
    none = -1e30  # instead of log(0), since the difference of two infinities is NaN
    for n, (frames, count) in enumerate(zip(input_lengths, target_lengths)):
        own = targets[n, :count] if targets.ndim == 2 else targets[at : at + count]
        at += count
        label = [xp.take(log_probs[:, n, :], own[j : j + 1], axis=1)[:, 0] for j in range(count)]
        steps = [log_probs[:, n, blank]]
        for each in label:
            steps += [each, log_probs[:, n, blank]]
        zero = xp.zeros((), dtype=wide)
        impossible = zero + none
        alpha = [steps[i][0] if i < 2 else impossible for i in range(len(steps))]
        for t in range(1, frames):
            new = []
            for i in range(len(steps)):
                came = [alpha[i]] + ([alpha[i - 1]] if i else [])
                if i % 2 and i > 1:
                    other = own[i // 2] != own[i // 2 - 1]
                    came.append(xp.where(other, alpha[i - 2], impossible))
                stack = xp.stack(came)
                most = xp.max(stack)
                new.append(most + xp.log(xp.sum(xp.exp(stack - most))) + steps[i][t])
            alpha = new
        ends = xp.stack(alpha[-2:])
        most = xp.max(ends)
        loss = -(most + xp.log(xp.sum(xp.exp(ends - most))))
        infinite = loss > 1e29
        instead = zero if zero_infinity else zero + float("inf")
        losses.append(xp.where(infinite, instead, loss))
    return xp.stack(losses)
