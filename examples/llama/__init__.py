"""Llama of transformers, with six of its parts replaced by generated ops."""
