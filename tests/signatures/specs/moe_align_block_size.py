"""Reference of the moe_align_block_size family, and the largest length of its lists."""


def longest(m, k, block_size, num_experts, pad_sorted_ids):
    """Return the largest length of the sorted list with padding to whole blocks for each expert."""
    most = m * k + num_experts * (block_size - 1)
    if pad_sorted_ids:
        most = -(-most // block_size) * block_size
    if m * k < num_experts:
        most = min(m * k * block_size, most)
    return most


def moe_align_block_size(
    xp, topk_ids, expert_map=None, *, block_size, num_experts, pad_sorted_ids, padded
):
    """Sort the entries of `topk_ids` by expert, and pad each expert's entries to whole blocks.

    Returns the sorted indices (`m*k` for padding), the expert of each block, and the number of
    sorted indices with padding. Unused blocks at the end have expert 0.
    """
    flat = xp.reshape(xp.astype(topk_ids, xp.int64), (-1,))
    count = flat.shape[0]
    expert = xp.arange(num_experts, dtype=xp.int64)
    mine = xp.astype(flat == expert[:, None], xp.int64)  # e t
    blocks = (xp.sum(mine, axis=1) + block_size - 1) // block_size
    end = xp.cumulative_sum(blocks)  # end of each expert, in blocks
    begin = end - blocks
    order = xp.cumulative_sum(mine, axis=1) - 1
    place = xp.sum(mine * (begin[:, None] * block_size + order), axis=0)  # position of each entry
    slot = xp.arange(padded, dtype=xp.int64)
    there = place[None, :] == slot[:, None]
    token = xp.sum(xp.astype(there, xp.int64) * xp.arange(count, dtype=xp.int64), axis=1)
    sorted_ids = xp.where(xp.any(there, axis=1), token, xp.full_like(token, count))
    block = xp.arange(-(-padded // block_size), dtype=xp.int64)[:, None]
    owner = xp.astype((begin <= block) & (block < end), xp.int64)
    named = expert if expert_map is None else xp.astype(expert_map, xp.int64)
    expert_ids = xp.sum(owner * named, axis=1)
    total = xp.reshape(end[-1] * block_size, (1,))
    return tuple(xp.astype(y, xp.int32) for y in (sorted_ids, expert_ids, total))
