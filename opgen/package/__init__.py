"""Build wheels, source distributions, and folders for the Hugging Face Hub."""
