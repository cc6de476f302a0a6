"""The path from the IR to files on disk: rendering, incremental rendering, writing."""
