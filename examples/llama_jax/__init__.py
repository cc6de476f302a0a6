"""A Llama in JAX that uses opgen's ops or plain jax.numpy, on several kinds of meshes."""
