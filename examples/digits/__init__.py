"""Train a 3-layer network on handwritten digits, with a generated or a native relu.

`python -m examples.digits` trains it four times: with `generated.torch`, with PyTorch alone, with
`generated.jax` and with JAX alone. All four start with the same weights and use the same batches.
"""
