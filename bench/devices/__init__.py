"""Count the bytes that a 70B Llama moves between 1,024 or 4,096 devices, with opgen's ops and with
native ops.
"""
