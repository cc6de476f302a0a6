"""Softmax cross-entropy and its gradient on NeuronCores.

A row is one element of *batch. The loss reads the logits twice: to find the largest, and to compute
the sum relative to this logit. Everything is computed in f32. Labels are i32.
"""

import nki
import nki.isa as nisa
import nki.language as nl

ROWS, COLUMNS = 128, 2048  # of a tile, at most


@nki.jit
def nki_cross_entropy(logits, labels, ignore_index, label_smoothing, reduction):
    """Compute the cross-entropy loss of each row, or its sum or mean.

    logits: `*batch c`, labels: `*batch`, c at most 2**24.

    Returns loss: `rows 1` if `reduction` is "none", else `1 1`; top: `rows 1`, the largest logit of
    each row; rest: `rows 1`, the sum of exp(logits - top) without one of the largest; and for
    "mean" count, `1 1`: the number of rows that are not ignored. All are f32. With two programs,
    each adds up its own rows, then the first adds up both sums.
    """
    rows, classes = _prod(logits.shape[:-1]), logits.shape[-1]
    whole = reduction != "none"
    loss = nl.ndarray((1 if whole else rows, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    top = nl.ndarray((rows, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    rest = nl.ndarray((rows, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    of_logits, of_labels = logits.reshape((rows, classes)), labels.reshape((rows, 1))

    one = nl.ds(0, 1)
    total, counted = _zeros(1, 1), _zeros(1, 1)
    for first in range(nl.program_id(0) * ROWS, rows, nl.num_programs(0) * ROWS):
        count = min(ROWS, rows - first)
        block = nl.ds(first, count)
        label = nl.load(of_labels[block, one], dtype=nl.float32)
        largest = _largest(of_logits, block, classes)
        others, missed, below = _sums(of_logits, block, classes, label, largest)
        terms = nl.multiply(missed, 1.0 - label_smoothing)
        if label_smoothing > 0.0:
            terms = nl.add(terms, nl.multiply(below, label_smoothing / classes))
        counts = nl.not_equal(label, float(ignore_index), dtype=nl.float32)
        terms = nl.add(nl.log(nl.add(others, 1.0)), terms)
        of_row = nl.where(counts, terms, _zeros(count, 1))
        nl.store(top[block, one], largest)
        nl.store(rest[block, one], others)
        if whole:
            total = nl.add(_over_rows(of_row), total)
            counted = nl.add(_over_rows(counts), counted)
        else:
            nl.store(loss[block, one], of_row)

    if not whole:
        return loss, top, rest
    total, counted = _over_programs(total), _over_programs(counted)
    number = nl.ndarray((1, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    if reduction == "mean":
        total = nl.multiply(total, nl.reciprocal(counted))
    if nl.program_id(0) == 0:
        nl.store(loss[one, one], total)
        nl.store(number[one, one], counted)
    if reduction == "mean":
        return loss, top, rest, number
    return loss, top, rest


@nki.jit
def nki_cross_entropy_bwd(
    dloss, logits, labels, top, rest, count, ignore_index, label_smoothing, reduction
):
    """Compute the gradient of the logits.

    dloss: `*batch` if `reduction` is "none", else `1 1`; logits: `*batch c`; labels, top, rest:
    `*batch`; count: `1 1` for "mean", else None. Returns dlogits like logits.

    With `p = exp(z - top) / (1 + rest)` and `s` the smoothing, the gradient of a logit `z` is
    `dloss * (p - s / c - (1 - s) * [is the label])`. It is 0 in ignored rows.
    """
    classes = logits.shape[-1]
    rows = _prod(labels.shape)
    dlogits = nl.ndarray(logits.shape, dtype=logits.dtype, buffer=nl.shared_hbm)
    of_logits, of_dlogits = logits.reshape((rows, classes)), dlogits.reshape((rows, classes))
    of_labels, of_top = labels.reshape((rows, 1)), top.reshape((rows, 1))
    of_rest = rest.reshape((rows, 1))

    one = nl.ds(0, 1)
    for first in range(nl.program_id(0) * ROWS, rows, nl.num_programs(0) * ROWS):
        height = min(ROWS, rows - first)
        block = nl.ds(first, height)
        label = nl.load(of_labels[block, one], dtype=nl.float32)
        largest = nl.load(of_top[block, one])
        inverse = nl.reciprocal(nl.add(nl.load(of_rest[block, one]), 1.0))
        if reduction == "none":
            scale = nl.load(dloss.reshape((rows, 1))[block, one])
        else:
            scale = nl.load(dloss[one, one])
            if reduction == "mean":
                scale = nl.multiply(scale, nl.reciprocal(nl.load(count[one, one])))
            scale = nl.broadcast_to(scale, (height, 1))
        counts = nl.not_equal(label, float(ignore_index), dtype=nl.float32)
        for column in range(0, classes, COLUMNS):
            shape = (height, min(COLUMNS, classes - column))
            part = nl.ds(column, shape[1])
            tile = nl.load(of_logits[block, part], dtype=nl.float32)
            p = nl.exp(nl.subtract(tile, nl.broadcast_to(largest, shape)))
            p = nl.multiply(p, nl.broadcast_to(inverse, shape))
            hit = nl.multiply(_is_label(label, column, shape), label_smoothing - 1.0)
            slope = nl.add(nl.add(p, -label_smoothing / classes), hit)
            slope = nl.multiply(slope, nl.broadcast_to(scale, shape))
            kept = nl.broadcast_to(counts, shape)
            nl.store(of_dlogits[block, part], nl.where(kept, slope, _zeros(shape[0], shape[1])))
    return dlogits


def _prod(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product


def _zeros(rows, columns):
    return nl.zeros((rows, columns), dtype=nl.float32, buffer=nl.sbuf)


def _is_label(label, first, shape):
    """Return 1 for the class that is the label of its row, else 0, for the classes from `first` on."""
    ids = nl.ndarray(shape, dtype=nl.float32, buffer=nl.sbuf)
    nisa.iota(dst=ids, pattern=[[1, shape[1]]], offset=first, channel_multiplier=0)
    return nl.equal(ids, nl.broadcast_to(label, shape), dtype=nl.float32)


def _largest(logits, block, classes):
    """Return the largest logit of each row, as one column."""
    part = nl.ds(0, min(COLUMNS, classes))
    found = nl.max(nl.load(logits[block, part], dtype=nl.float32), axis=1, keepdims=True)
    for column in range(COLUMNS, classes, COLUMNS):
        part = nl.ds(column, min(COLUMNS, classes - column))
        tile = nl.load(logits[block, part], dtype=nl.float32)
        found = nl.maximum(found, nl.max(tile, axis=1, keepdims=True))
    return found


def _sums(logits, block, classes, label, largest):
    """Return three numbers for each row.

    The first is the sum of exp(logits - largest) without one of the largest. The second is the
    distance of the label's logit from the largest. The third is the sum of the distances of all
    logits.
    """
    height = label.shape[0]
    tops, others = _zeros(height, 1), _zeros(height, 1)
    missed, below = _zeros(height, 1), _zeros(height, 1)
    for column in range(0, classes, COLUMNS):
        shape = (height, min(COLUMNS, classes - column))
        tile = nl.load(logits[block, nl.ds(column, shape[1])], dtype=nl.float32)
        zero = _zeros(shape[0], shape[1])
        less = nl.subtract(nl.broadcast_to(largest, shape), tile)
        of_label = nl.where(_is_label(label, column, shape), less, zero)
        # The largest are counted, and the others added up: their sum may be far below 1.
        is_top = nl.equal(less, 0.0, dtype=nl.float32)
        terms = nl.where(is_top, zero, nl.exp(nl.multiply(less, -1.0)))
        tops = nl.add(nl.sum(is_top, axis=1, keepdims=True), tops)
        others = nl.add(nl.sum(terms, axis=1, keepdims=True), others)
        missed = nl.add(nl.sum(of_label, axis=1, keepdims=True), missed)
        below = nl.add(nl.sum(less, axis=1, keepdims=True), below)
    return nl.add(others, nl.add(tops, -1.0)), missed, below


def _over_rows(column):
    """Return the sum of a column, 1x1. The partitions become one row."""
    return nl.sum(nl.copy(nl.transpose(column)), axis=1, keepdims=True)


def _over_programs(own):
    """Return the sum of the 1x1 tiles of all programs."""
    if nl.num_programs(0) == 1:
        return own
    one = nl.ds(0, 1)
    shares = nl.ndarray((2, 1), dtype=nl.float32, buffer=nl.shared_hbm)
    nl.store(shares[nl.ds(nl.program_id(0), 1), one], own)
    nisa.core_barrier(shares, (0, 1))
    return nl.add(nl.load(shares[nl.ds(0, 1), one]), nl.load(shares[nl.ds(1, 1), one]))
