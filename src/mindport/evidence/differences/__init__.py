"""100 differences between PyTorch and a port by name, each a small program for either side, run and written to a page."""
