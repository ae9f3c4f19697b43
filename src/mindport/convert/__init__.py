"""From a PyTorch project to a MindSpore project, call by call.

The baseline is always right: the user's call stays as it is and its name is bound to a vendored
function that was tested against torch. Renaming and inlining are tidiness, earned call by call.
"""

from mindport.convert.project import Conversion, Options, convert, write

__all__ = ["Conversion", "Options", "convert", "write"]
