"""Records whole training runs from outside, and compares two of them rung by rung.

`entry/sitecustomize.py` and everything that it reaches (`installing`, `journal`, `watch`, `digest`, `streams`,
`torch_*`, `mindspore_*`) runs in the user's process: the standard library, numpy and one framework. The rest
runs in mindport's own process.
"""
