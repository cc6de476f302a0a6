"""Llama of transformers, with six of its parts swapped for rendered ops."""
