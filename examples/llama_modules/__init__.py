"""A Llama in Flax NNX and in Equinox, with generated or native layers and ops."""
