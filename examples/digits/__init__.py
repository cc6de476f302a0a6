"""Train a 3-layer network on handwritten digits, with opgen's relu or the framework's.

`python -m examples.digits` trains the network four times: with `generated.torch`, with PyTorch
alone, with `generated.jax` and with JAX alone. All four runs start with the same weights and use
the same batches.
"""
