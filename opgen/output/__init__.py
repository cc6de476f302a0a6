"""The pipeline from the intermediate representation (IR) to files on disk. It renders files, skips
unchanged parts, and writes the result.
"""
