"""A softmax over experts, and its `k` largest probabilities, on NeuronCores.

Shazeer et al., Outrageously Large Neural Networks, 2017, equations 3 to 5, without the noise. A row
is one element of *batch.
"""

import nki
import nki.isa as nisa
import nki.language as nl

ROWS = 128  # of a tile, at most
LOWEST = -3.4028235e38


@nki.jit
def nki_topk_softmax(logits, k, renormalize):
    """Return the `k` largest probabilities of each row.

    logits: `*batch e`, finite. Returns weights: `*batch k`, f32; ids: `*batch k`, i32; and for each
    row top, the largest logit, and total, the sum of exp(logits - top): `rows 1`, f32.

    Each round finds the largest remaining logit. Of equal logits it takes the first.
    """
    batch, experts = logits.shape[:-1], logits.shape[-1]
    rows = 1
    for size in batch:
        rows *= size
    weights = nl.ndarray(batch + (k,), dtype=nl.float32, buffer=nl.shared_hbm)
    ids = nl.ndarray(batch + (k,), dtype=nl.int32, buffer=nl.shared_hbm)
    top = nl.ndarray((rows, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    total = nl.ndarray((rows, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    one, all_k = nl.ds(0, 1), nl.ds(0, k)
    for first in range(nl.program_id(0) * ROWS, rows, nl.num_programs(0) * ROWS):
        count = min(ROWS, rows - first)
        block, every, shape = nl.ds(first, count), nl.ds(0, count), (count, experts)
        tile = nl.load(logits.reshape((rows, experts))[block, nl.ds(0, experts)], dtype=nl.float32)
        places = nl.ndarray(shape, dtype=nl.float32, buffer=nl.sbuf)
        nisa.iota(dst=places, pattern=[[1, experts]], offset=0, channel_multiplier=0)
        beyond = nl.full(shape, float(experts), dtype=nl.float32, buffer=nl.sbuf)
        gone = nl.full(shape, LOWEST, dtype=nl.float32, buffer=nl.sbuf)
        chosen = nl.ndarray((count, k), dtype=nl.float32, buffer=nl.sbuf)
        values = nl.ndarray((count, k), dtype=nl.float32, buffer=nl.sbuf)
        left = tile
        for n in range(k):
            largest = nl.max(left, axis=1, keepdims=True)
            equal = nl.equal(left, nl.broadcast_to(largest, shape), dtype=nl.float32)
            place = nl.min(nl.where(equal, places, beyond), axis=1, keepdims=True)
            nisa.tensor_copy(dst=values[every, nl.ds(n, 1)], src=largest)
            nisa.tensor_copy(dst=chosen[every, nl.ds(n, 1)], src=place)
            taken = nl.equal(places, nl.broadcast_to(place, shape), dtype=nl.float32)
            left = nl.where(taken, gone, left)
        most = nl.copy(values[every, one])
        shares = nl.exp(nl.subtract(tile, nl.broadcast_to(most, shape)))
        whole = nl.sum(shares, axis=1, keepdims=True)
        exps = nl.exp(nl.subtract(values, nl.broadcast_to(most, (count, k))))
        below = nl.sum(exps, axis=1, keepdims=True) if renormalize else whole
        exps = nl.multiply(exps, nl.broadcast_to(nl.reciprocal(below), (count, k)))
        nl.store(weights.reshape((rows, k))[block, all_k], exps)
        nl.store(ids.reshape((rows, k))[block, all_k], chosen)
        nl.store(top[block, one], most)
        nl.store(total[block, one], whole)
    return weights, ids, top, total
