"""The C++ for PyTorch, through its stable ABI."""
