"""A Llama in JAX, of rendered ops or of plain jax.numpy, split over meshes."""
