"""Bytes that a 70B Llama moves between 1,024 and 4,096 devices, in opgen's ops and in native ones."""
