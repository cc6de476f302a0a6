"""An op with a kernel that is already compiled: the function `swab` of the C library."""

import jax
import jax.numpy as jnp
import numpy as np
import torch

import language_ops.jax
import language_ops.torch

samples = np.array([[0, 1, -2], [256, 32767, -32768]], np.int16)
stored = samples.astype(">i2").tobytes()  # as in a file of sound

read = torch.frombuffer(bytearray(stored), dtype=torch.int16).reshape(2, 3)
assert language_ops.torch.swap_bytes(read).tolist() == samples.tolist()
assert language_ops.torch.swap_bytes(read.T).tolist() == samples.T.tolist()

read = jnp.asarray(read.numpy())
assert language_ops.jax.swap_bytes(read).tolist() == samples.tolist()
assert jax.vmap(language_ops.jax.swap_bytes)(read).tolist() == samples.tolist()
