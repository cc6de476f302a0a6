"""A Llama in PyTorch, with generated ops or native ones, split over processes."""
