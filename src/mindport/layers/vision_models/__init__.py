"""torchvision.models: one family of networks a file, with torchvision's names of modules, and its builders beside it."""
