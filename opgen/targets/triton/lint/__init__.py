"""The lint rules about kernels in Triton."""
