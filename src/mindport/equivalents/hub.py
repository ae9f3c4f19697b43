"""torch.hub: where downloads are kept, and checkpoints from addresses."""

import hashlib
import os
from urllib.parse import urlparse
from urllib.request import urlretrieve

from mindport.declare import absent, equivalent
from mindport.equivalents.deserialization import load


@equivalent("torch.hub._get_torch_home")
def _get_torch_home():
    """The folder of torch's downloads: TORCH_HOME, or torch under the user's cache folder."""
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(os.getenv("XDG_CACHE_HOME", "~/.cache"), "torch")))


@equivalent("torch.hub.get_dir")
def get_dir():
    """The folder of torch.hub's downloads."""
    return os.path.join(_get_torch_home(), "hub")


@equivalent("torch.hub.download_url_to_file", drops={"progress": "nothing is shown"})
def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """The file at an address, whole or not at all. Raises RuntimeError where its SHA-256 begins otherwise than told.

    https://docs.pytorch.org/docs/2.13/hub.html#torch.hub.download_url_to_file
    """
    place = os.path.expanduser(dst)
    partial = f"{place}.{os.getpid()}.partial"
    try:
        urlretrieve(url, partial)
        if hash_prefix is not None:
            with open(partial, "rb") as file:
                found = hashlib.sha256(file.read()).hexdigest()
            if found[: len(hash_prefix)] != hash_prefix:
                raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{found}")')
        os.replace(partial, place)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


@equivalent(
    "torch.hub.load_state_dict_from_url", "torch.utils.model_zoo.load_url", "torchvision.models.utils.load_state_dict_from_url",
    drops={
        "map_location": "MindSpore places tensors where they are used", "progress": "nothing is shown",
        "check_hash": "the file in the cache is taken as it is",
    },
)
def load_state_dict_from_url(
    url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None, weights_only=True
):
    """What a file of torch.save at an address holds; it is kept in torch.hub's cache, PyTorch's own downloads too.

    https://docs.pytorch.org/docs/2.13/hub.html#torch.hub.load_state_dict_from_url
    """
    folder = os.path.join(get_dir(), "checkpoints") if model_dir is None else model_dir
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, os.path.basename(urlparse(url).path) if file_name is None else file_name)
    if not os.path.exists(path):
        partial = f"{path}.{os.getpid()}.partial"
        urlretrieve(url, partial)
        os.replace(partial, path)
    return load(path, weights_only=weights_only)


absent(
    "torch.hub.load",
    why="what is downloaded is a PyTorch project: convert it and import it, and load its checkpoint with torch.load",
    rung="packaged",
)
