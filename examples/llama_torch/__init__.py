"""A Llama in PyTorch that uses opgen's ops or native ops, split over processes."""
