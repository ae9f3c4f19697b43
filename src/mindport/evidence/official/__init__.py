"""MindSpore's official PyTorch mapping table, run: its rows, how a row is called, what came of it, and the page."""
