"""Constructing and running a network without torch and without running the project's code.

A small interpreter reads the project's syntax trees: numbers, texts and containers are computed, a tensor is its shape, a
library's layer is its arguments. Whatever cannot be computed is `Unknown`, and where it would decide what is built
or which way is taken, the run ends with the reason (`Undecided`): nothing is guessed.
"""
