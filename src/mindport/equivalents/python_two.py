"""``torch._six``, the names of Python 2 and 3 alike that PyTorch had up to 1.13: plain Python's now.

Source: torch/_six.py of PyTorch 1.8.
"""

import math

from mindport.declare import constant

constant("torch._six.inf", math.inf)
constant("torch._six.nan", math.nan)
constant("torch._six.string_classes", (str, bytes))
constant("torch._six.int_classes", int)
