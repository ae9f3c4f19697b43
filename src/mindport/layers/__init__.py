"""The knowledge about layers with parameters or mode: one MindSpore class per torch module class."""
