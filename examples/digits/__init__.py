"""Handwritten digits, learnt by a 3-layer MLP whose relu is generated or native.

`python -m examples.digits` trains it four times: with `generated.torch`, with PyTorch alone, with
`generated.jax` and with JAX alone, from the same weights and over the same batches.
"""
