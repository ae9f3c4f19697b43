"""torch.hub: where downloads are kept, and what must be converted instead of downloaded."""

import os

from mindport.declare import absent, equivalent


@equivalent("torch.hub._get_torch_home")
def _get_torch_home():
    """The folder of torch's downloads: TORCH_HOME, or torch under the user's cache folder."""
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(os.getenv("XDG_CACHE_HOME", "~/.cache"), "torch")))


@equivalent("torch.hub.get_dir")
def get_dir():
    """The folder of torch.hub's downloads."""
    return os.path.join(_get_torch_home(), "hub")


absent(
    "torch.hub.load_state_dict_from_url", "torch.hub.load", "torch.utils.model_zoo.load_url",
    why="what is downloaded is a PyTorch checkpoint: convert it with `mindport weights` and load the result",
    rung="packaged",
)
