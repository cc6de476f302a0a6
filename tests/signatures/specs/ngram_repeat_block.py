def ngram_repeat_block(xp, tokens, lprobs, *, bsz, step, beam_size, no_repeat_ngram_size):
    n = no_repeat_ngram_size
    count = step - n + 2
    banned = xp.zeros_like(lprobs) > 0
    vocabulary = xp.arange(lprobs.shape[1])
    for start in range(max(count, 0)):
        same = tokens[:, 0] == tokens[:, 0]
        for k in range(n - 1):
            same = same & (tokens[:, start + k] == tokens[:, count + k])
        banned = banned | (same[:, None] & (tokens[:, start + n - 1][:, None] == vocabulary))
    return xp.where(banned, xp.full_like(lprobs, -float("inf")), lprobs)
