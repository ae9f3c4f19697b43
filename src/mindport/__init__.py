"""mindport moves PyTorch projects to MindSpore, and proves that they compute the same."""

__version__ = "0.1.0"
