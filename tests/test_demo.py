"""The demo program reads its data, and trains equally with generated and native ops."""

from __future__ import annotations

import gzip
import re
import struct
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from examples.digits.__main__ import Run, check
from examples.digits.data import batches, bundled_digits, mnist, read_idx

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
RUN = re.compile(
    r"^(?P<name>PyTorch|JAX), (?P<relu>generated|native) relu"
    r" +(?P<loss>[\d.]+) +(?P<accuracy>[\d.]+)% +(?P<throughput>[\d.]+)$",
    re.M,
)


def idx(array: np.ndarray) -> bytes:
    """Return an array as an idx file of unsigned bytes."""
    header = struct.pack(f">4B{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
    return header + array.astype(np.uint8).tobytes()


def write_mnist(folder: Path, count: int = 320) -> np.ndarray:
    """Write files in MNIST's format that contain noise; the training images are gzipped."""
    generator = np.random.default_rng(0)
    images = generator.integers(0, 256, (count, 28, 28))
    labels = idx(generator.integers(0, 10, count))
    (folder / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx(images)))
    (folder / "train-labels-idx1-ubyte").write_bytes(labels)
    (folder / "t10k-images-idx3-ubyte").write_bytes(idx(images))
    (folder / "t10k-labels-idx1-ubyte").write_bytes(labels)
    return images


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "examples.digits", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_digits_are_split_by_label() -> None:
    data = bundled_digits()
    assert data.train_x.shape == (1437, 64) and data.test_x.shape == (360, 64)
    assert data.train_x.dtype == np.float32 and data.train_x.max() == 1
    held_out = np.bincount(data.test_y)
    assert np.all(np.abs(held_out - np.bincount(data.train_y) / 4) < 1)


def test_epochs_are_shuffled_alike_and_whole() -> None:
    first, second = ([*islice(batches(100, 32, seed=0), 2)] for _ in range(2))
    assert [len(batch) for batch in first[0]] == [32, 32, 32]
    assert len(np.unique(np.concatenate(first[0]))) == 96
    assert not np.array_equal(first[0], first[1])
    np.testing.assert_array_equal(first, second)


def test_mnist_is_read_plain_and_gzipped(tmp_path: Path) -> None:
    images = write_mnist(tmp_path)
    data = mnist(tmp_path)
    assert data.train_x.shape == (320, 784) and data.train_y.dtype == np.int64
    np.testing.assert_array_equal(data.train_x, data.test_x)
    np.testing.assert_allclose(data.train_x * 255, images.reshape(320, 784), rtol=1e-6)


@pytest.mark.parametrize(
    "content", [b"", b"\0\0\x0d\x01\0\0\0\0", b"\0\0\x08\x02\0\0", idx(np.zeros(4))[:-1]]
)
def test_a_broken_idx_file_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "train-labels-idx1-ubyte"
    file.write_bytes(content)
    with pytest.raises(ValueError, match="train-labels-idx1-ubyte"):
        read_idx(file)


def test_a_folder_without_mnist_is_one_sentence(tmp_path: Path) -> None:
    done = demo("--data", str(tmp_path))
    assert done.returncode == 2
    assert "train-images-idx3-ubyte" in done.stderr and len(done.stderr.splitlines()) == 1


def test_disagreement_and_ignorance_are_found() -> None:
    native = Run("native", 1.0, 0.10000, 0.95)
    assert check(Run("generated", 1.0, 0.100004, 0.95), native) == []
    assert len(check(Run("generated", 1.0, 0.10001, 0.95), native)) == 1
    assert len(check(Run("generated", 1.0, float("nan"), 0.95), native)) == 1
    assert len(check(Run("generated", 1.0, 0.10000, 0.89), native)) == 1


def test_trains_on_digits_four_ways() -> None:
    done = demo()
    assert done.returncode == 0, done.stdout + done.stderr
    runs = [match.groupdict() for match in RUN.finditer(done.stdout)]
    names = [(run["name"], run["relu"]) for run in runs]
    assert names == [
        (framework, relu) for framework in ("PyTorch", "JAX") for relu in ("generated", "native")
    ]
    assert all(float(run["accuracy"]) >= 90 for run in runs)
    assert all(float(run["throughput"]) > 0 for run in runs)
    for generated, native in (runs[:2], runs[2:]):
        assert float(generated["loss"]) == pytest.approx(float(native["loss"]), rel=5e-5)
    assert "150/150 epochs" in done.stderr


def test_trains_on_mnist_files(tmp_path: Path) -> None:
    """The demo exits with 1 on images of noise, which cannot be learnt."""
    write_mnist(tmp_path)
    done = demo("--data", str(tmp_path), "--epochs", "1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert len(RUN.findall(done.stdout)) == 4
    assert "of the held-out digits is less than 90%" in done.stdout
