"""Where the random numbers stand, to be saved and put back.

MindSpore's own `set_rng_state` does not bring back the draws of its operators on CPU (measured: ops.rand, randn,
multinomial). A seed does: so whoever asks for the state begins a new, seeded stretch of numbers, and the state is
that seed, with the place of torch's own generator, which decides the order of data.
"""

from contextlib import ContextDecorator

import mindspore as ms
import numpy as np
from mindspore import Tensor

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.generators import default_generator, set_streams, streams
from mindport.equivalents.initializer_stream import seed_initializers

ANOTHER_STRETCH = difference(
    "MindSpore's operators go on with a new seed, which the state holds: the draws after it come again, but are not those of a run that never asked",
    risk="style", zh="读取状态会为 MindSpore 的算子换一个种子：此后的随机数可以重现，但与从未读取状态的运行不同",
)
NOT_ALL = difference(
    "what ops.bernoulli draws, and dropout in a compiled graph, does not come again: these kernels keep numbers of their own, which no seed sets back",
    zh="ops.bernoulli 以及编译图中 dropout 的随机数不会重现：其算子内部自带随机状态",
)
ASKED = {"times": 0}


def seed_operators(number):
    """Seed MindSpore's operators and initialisers; Python's, NumPy's and torch's generators stay where they are."""
    others = streams()
    ms.set_seed(number)
    set_streams(others)
    seed_initializers()


@equivalent("torch.get_rng_state", "torch.random.get_rng_state", random=True, differs=[ANOTHER_STRETCH])
def get_rng_state():
    """A uint8 tensor of one axis for `set_rng_state`. https://docs.pytorch.org/docs/2.13/generated/torch.get_rng_state.html"""
    ASKED["times"] += 1
    seed, (_, words, place, *_) = default_generator.get_state()
    following = int(np.random.SeedSequence([seed & 0xFFFFFFFFFFFFFFFF, ASKED["times"]]).generate_state(1)[0])
    seed_operators(following)
    head = np.array([following, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, place], np.uint32)
    return Tensor(np.concatenate([head, words.astype(np.uint32)]).view(np.uint8))


@equivalent("torch.set_rng_state", "torch.random.set_rng_state", differs=[NOT_ALL])
def set_rng_state(new_state):
    """Back to where `get_rng_state` found it. A state that PyTorch saved is refused: its numbers cannot be drawn here."""
    words = new_state.asnumpy()
    if words.dtype != np.uint8 or words.size != 4 * 628:
        raise Refused("the state of a random generator has to come from get_rng_state of the converted program; PyTorch's own state cannot be continued")
    words = np.ascontiguousarray(words).view(np.uint32)
    default_generator.set_state((int(words[1]) | int(words[2]) << 32, ("MT19937", words[4:], int(words[3]), 0, 0.0)))
    seed_operators(int(words[0]))


class ForkedState(ContextDecorator):
    """What is drawn inside leaves no trace outside."""

    def __init__(self, enabled):
        self.enabled = enabled

    def __enter__(self):
        if self.enabled:
            self.state = get_rng_state()

    def __exit__(self, *problem):
        if self.enabled:
            set_rng_state(self.state)
        return False


@equivalent(
    "torch.random.fork_rng", drops={
        "devices": "MindSpore has one generator for all devices", "device_type": "the device is MindSpore's own",
        "_caller": "a name for torch's warning", "_devices_kw": "a name for torch's warning",
    },
    differs=[ANOTHER_STRETCH, NOT_ALL],
)
def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"):
    """What is drawn inside leaves no trace outside. https://docs.pytorch.org/docs/2.13/random.html"""
    return ForkedState(enabled)
