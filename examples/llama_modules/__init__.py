"""A Llama in Flax NNX and in Equinox, with layers and ops that are rendered or their own."""
