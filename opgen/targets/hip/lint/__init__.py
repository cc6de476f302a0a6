"""The lint rules about kernels for AMD's GPUs."""
