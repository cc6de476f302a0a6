"""Load the digits to learn: scikit-learn's 8x8 images, or MNIST's 28x28 images from a folder."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

CLASSES = 10
IDX_BYTES = 0x08  # the code for unsigned bytes in an idx file's third byte


@dataclass(frozen=True)
class Digits:
    """Images and labels for training and for testing.

    `train_x` and `test_x` are f32 arrays of shape `n features`, with pixels from 0 to 1. `train_y`
    and `test_y` are i64 arrays of shape `n`. `epochs` is the number of epochs that the 3-layer
    network needs at a learning rate of 0.01.
    """

    name: str
    epochs: int
    train_x: np.ndarray
    train_y: np.ndarray
    test_x: np.ndarray
    test_y: np.ndarray

    @property
    def features(self) -> int:
        return self.train_x.shape[1]


def bundled_digits() -> Digits:
    """Return the 1,797 digits that scikit-learn contains.

    A fifth of the digits, stratified by label, is for testing.
    """
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    images, labels = load_digits(return_X_y=True)
    images = (images / 16).astype(np.float32)
    train_x, test_x, train_y, test_y = train_test_split(
        images, labels.astype(np.int64), test_size=0.2, stratify=labels, random_state=0
    )
    name = "Digits of scikit-learn"
    return Digits(name, 150, train_x, train_y, test_x, test_y)


def mnist(folder: Path) -> Digits:
    """Return MNIST from its four idx files in `folder`, plain or gzipped.

    Raises FileNotFoundError if a file is missing, and ValueError if a file does not have the idx
    format.
    """
    return Digits(
        "MNIST",
        15,
        _images(folder, "train-images-idx3-ubyte"),
        _labels(folder, "train-labels-idx1-ubyte"),
        _images(folder, "t10k-images-idx3-ubyte"),
        _labels(folder, "t10k-labels-idx1-ubyte"),
    )


def batches(count: int, size: int, seed: int) -> Iterator[list[np.ndarray]]:
    """Yield epochs without end. Each epoch is a list of batches: index arrays of length `size`.

    The batches of an epoch contain the indices 0 to `count` - 1 in random order. If the last batch
    would be smaller than `size`, the epoch does not contain it.
    """
    generator = np.random.default_rng(seed)
    while True:
        order = generator.permutation(count)
        yield [order[i : i + size] for i in range(0, count - size + 1, size)]


def _images(folder: Path, name: str) -> np.ndarray:
    images = read_idx(_find(folder, name))
    return images.reshape(len(images), -1).astype(np.float32) / 255


def _labels(folder: Path, name: str) -> np.ndarray:
    return read_idx(_find(folder, name)).astype(np.int64)


def _find(folder: Path, name: str) -> Path:
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise FileNotFoundError(f"{folder} holds neither {name} nor {name}.gz")


def read_idx(path: Path) -> np.ndarray:
    """Return the array of unsigned bytes in an idx file, the format of the MNIST data set.

    The file starts with two zero bytes, a code for the type, and the rank. Then come the sizes,
    each a 32-bit big-endian integer, and the elements. Raises ValueError if the type is not
    unsigned bytes, or if the file has the wrong length.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as file:
        data = file.read()
    if len(data) < 4 or data[:3] != bytes([0, 0, IDX_BYTES]):
        raise ValueError(f"{path} is not an idx file of unsigned bytes")
    rank = data[3]
    start = 4 + 4 * rank
    if len(data) < start:
        raise ValueError(f"{path} ends within its header")
    shape = struct.unpack_from(f">{rank}I", data, 4)
    values = np.frombuffer(data, np.uint8, offset=start)
    if len(values) != np.prod(shape, dtype=np.int64):
        raise ValueError(f"{path} holds {len(values)} bytes for shape {shape}")
    return values.reshape(shape)
