"""The C++ code for PyTorch, which uses the stable ABI."""
