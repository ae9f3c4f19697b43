"""Sums of files, by which torchvision's data sets know that a download is whole."""

import hashlib
import os

from mindport.declare import equivalent


@equivalent("torchvision.datasets.utils.calculate_md5", drops={"chunk_size": "the sum is the same whatever is read at once"})
def calculate_md5(fpath, chunk_size=1024 * 1024):
    """The MD5 sum of a file, as 32 hexadecimal digits; OSError where it cannot be read."""
    summed = hashlib.md5(usedforsecurity=False)
    with open(fpath, "rb") as file:
        while piece := file.read(1024 * 1024):
            summed.update(piece)
    return summed.hexdigest()


@equivalent("torchvision.datasets.utils.check_md5")
def check_md5(fpath, md5, **kwargs):
    """Whether a file has the MD5 sum."""
    return md5 == calculate_md5(fpath, **kwargs)


@equivalent("torchvision.datasets.utils.check_integrity")
def check_integrity(fpath, md5=None):
    """Whether a file is there and, where a sum is given, has it.

    https://github.com/pytorch/vision/blob/main/torchvision/datasets/utils.py
    """
    if not os.path.isfile(fpath):
        return False
    return md5 is None or check_md5(fpath, md5)
