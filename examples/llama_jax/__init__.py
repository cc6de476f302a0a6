"""A Llama in JAX, with generated ops or with plain jax.numpy, on several meshes."""
