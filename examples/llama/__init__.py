"""The Llama from transformers, with six parts replaced by opgen's ops."""
