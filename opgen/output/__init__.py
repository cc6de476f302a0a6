"""The pipeline from the IR to files on disk: rendering, incremental rendering, writing."""
