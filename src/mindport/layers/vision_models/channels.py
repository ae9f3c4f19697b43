"""Numbers of channels that hardware likes."""

from mindport.declare import equivalent


@equivalent("torchvision.models._utils._make_divisible")
def _make_divisible(v, divisor, min_value=None):
    """The multiple of `divisor` nearest to `v`, at least `min_value` (by default `divisor`) and at least 90% of `v`."""
    nearest = max(divisor if min_value is None else min_value, int(v + divisor / 2) // divisor * divisor)
    return nearest + divisor if nearest < 0.9 * v else nearest
