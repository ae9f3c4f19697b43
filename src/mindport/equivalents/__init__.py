"""The knowledge: one MindSpore function per PyTorch function, found by looking into this folder.

How to add one in ten minutes: `docs/writing-an-equivalent.md`.
"""
