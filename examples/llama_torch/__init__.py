"""A Llama in PyTorch, of rendered ops or of native ones, split over processes."""
