"""A Llama in Flax NNX and in Equinox, with layers and ops of opgen or of the library."""
