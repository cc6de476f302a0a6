"""Softmax cross-entropy on a NeuronCore, one program for all rows.

A row is one element of *batch. Its logits are read twice: for the largest, and for what is summed
relative to that. All is computed in f32; `nki.isa.iota` is that of the package `nki`.
"""

import nki
import nki.isa as nisa
import nki.language as nl

ROWS = 128  # what a tile has in the partition dimension, at most
COLUMNS = 2048  # classes at a time: what is computed must fit into SBUF


@nki.jit
def nki_cross_entropy(logits, labels, ignore_index, label_smoothing, reduction):
    """logits: `*batch c`, labels: `*batch`, prod(batch) a multiple of 128, c at most 2**24.

    Grid (1,). Returns loss: `*batch` if `reduction` is "none", else a scalar; top: `*batch`, the
    largest logit of each row; rest: `*batch`, the sum of exp(logits - top) without one of the
    largest; and for "mean" count, a scalar: how many rows are not ignored. All f32.
    """
    batch, classes = logits.shape[:-1], logits.shape[-1]
    rows = 1
    for size in batch:
        rows *= size
    whole = reduction != "none"
    loss = nl.ndarray(() if whole else batch, dtype=nl.float32, buffer=nl.shared_hbm)
    top = nl.ndarray(batch, dtype=nl.float32, buffer=nl.shared_hbm)
    rest = nl.ndarray(batch, dtype=nl.float32, buffer=nl.shared_hbm)
    of_logits, of_labels = logits.reshape((rows, classes)), labels.reshape((rows, 1))
    of_top, of_rest = top.reshape((rows, 1)), rest.reshape((rows, 1))

    one = nl.ds(0, 1)
    total, count = _zeros(1), _zeros(1)
    for begin in range(0, rows, ROWS):
        block = nl.ds(begin, ROWS)
        label = nl.load(of_labels[block, one], dtype=nl.float32)  # ROWS 1
        largest = _largest(of_logits, block, classes)  # ROWS 1
        others, missed, below = _sums(of_logits, block, classes, label, largest)  # ROWS 1
        terms = nl.multiply(missed, 1.0 - label_smoothing)
        if label_smoothing > 0.0:
            terms = nl.add(terms, nl.multiply(below, label_smoothing / classes))
        counts = nl.not_equal(label, float(ignore_index), dtype=nl.float32)
        of_row = nl.where(counts, nl.add(nl.log(nl.add(others, 1.0)), terms), 0.0)
        nl.store(of_top[block, one], largest)
        nl.store(of_rest[block, one], others)
        if whole:
            total = nl.add(_over_rows(of_row), total)
            count = nl.add(_over_rows(counts), count)
        else:
            nl.store(loss.reshape((rows, 1))[block, one], of_row)

    if reduction == "mean":
        counted = nl.ndarray((), dtype=nl.float32, buffer=nl.shared_hbm)
        nl.store(loss.reshape((1, 1))[one, one], nl.divide(total, count))
        nl.store(counted.reshape((1, 1))[one, one], count)
        return loss, top, rest, counted
    if whole:
        nl.store(loss.reshape((1, 1))[one, one], total)
    return loss, top, rest


def _zeros(rows):
    """Zeros to add to: `rows 1`."""
    return nl.zeros((rows, 1), dtype=nl.float32, buffer=nl.sbuf)


def _blocks(classes):
    """Starts and lengths of the blocks of classes."""
    return [(first, min(COLUMNS, classes - first)) for first in range(0, classes, COLUMNS)]


def _largest(logits, block, classes):
    """The largest of each row: `ROWS 1`."""
    found = None
    for first, count in _blocks(classes):
        tile = nl.load(logits[block, nl.ds(first, count)], dtype=nl.float32)
        own = nl.max(tile, axis=1, keepdims=True)
        found = own if found is None else nl.maximum(found, own)
    return found


def _sums(logits, block, classes, label, largest):
    """Of each row: the sum of exp(logits - largest) without one of the largest; how far the logit
    of the label is below the largest; and by how much all of them are together. `ROWS 1` each."""
    tops, others, missed, below = _zeros(ROWS), _zeros(ROWS), _zeros(ROWS), _zeros(ROWS)
    for first, count in _blocks(classes):
        tile = nl.load(logits[block, nl.ds(first, count)], dtype=nl.float32)
        shape = (ROWS, count)
        less = nl.subtract(nl.broadcast_to(largest, shape=shape), tile)
        ids = nl.ndarray(shape, dtype=nl.float32, buffer=nl.sbuf)
        nisa.iota(dst=ids, pattern=[[1, count]], offset=first, channel_multiplier=0)
        chosen = nl.equal(ids, nl.broadcast_to(label, shape=shape), dtype=nl.float32)
        of_label = nl.where(chosen, less, 0.0)
        # The largest are counted, and the others added up: their sum may be far below 1.
        is_top = nl.equal(less, 0.0, dtype=nl.float32)
        terms = nl.where(is_top, 0.0, nl.exp(nl.multiply(less, -1.0)))
        tops = nl.add(nl.sum(is_top, axis=1, keepdims=True), tops)
        others = nl.add(nl.sum(terms, axis=1, keepdims=True), others)
        missed = nl.add(nl.sum(of_label, axis=1, keepdims=True), missed)
        below = nl.add(nl.sum(less, axis=1, keepdims=True), below)
    return nl.add(others, nl.add(tops, -1.0)), missed, below


def _over_rows(column):
    """The sum of a tile of one column: `1 1`. What lies in partitions is turned into one row."""
    return nl.sum(nl.transpose(column), axis=1, keepdims=True)
