"""Digits to learn from: scikit-learn's own 8x8 ones, or MNIST's 28x28 from a folder."""

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
    """Images, pixels from 0 to 1, f32 `n features`; labels, i64 `n`.

    `epochs` is how many a 3-layer MLP needs to learn them at a rate of 0.01.
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
    """The 1,797 digits that scikit-learn ships; a fifth, stratified by label, is held out."""
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
    """MNIST from its four idx files in `folder`, plain or gzipped.

    Raises FileNotFoundError where one is missing, ValueError where one is not what its name says.
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
    """Epochs without end: each the indices 0..count-1, shuffled, in pieces of `size`.

    The last piece of an epoch is dropped where it is smaller, so that all have one shape.
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
    """The array of unsigned bytes in an idx file, by the format's description at MNIST's page.

    Two zero bytes, the type's code, the rank; then each size, 32 bits big-endian; then the bytes.
    Raises ValueError for another type and for a file of the wrong length.
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
