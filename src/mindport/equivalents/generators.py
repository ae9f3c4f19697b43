"""torch's CPU generator, number by number: what decides the order of data.

torch draws shuffles, splits and samplers from a Mersenne twister that `torch.manual_seed` seeds; so does this, in
NumPy, so that the same seed gives the same order. Source: M. Matsumoto and T. Nishimura, ACM TOMACS 8 (1998), and
measurements of torch 2.13 on CPU. MindSpore's operators keep drawing from MindSpore's own generator: numbers that
torch would have taken for weights, noise or dropout are not taken here.
"""

import os
import random

import mindspore as ms
import numpy as np

from mindport.declare import attribute, difference, equivalent, layer
from mindport.equivalents.initializer_stream import seed_initializers


@layer("torch.Generator", drops={"device": "the numbers are drawn on the host"})
class Generator:
    """A Mersenne twister (mt19937). https://docs.pytorch.org/docs/2.13/generated/torch.Generator.html

    `integer`, `long`, `uniform`, `permutation`, `integers` and `weighted` give what torch's CPU operators draw.
    """

    def __init__(self, device="cpu"):
        self.device = device
        self.manual_seed(67280421310721)

    def manual_seed(self, seed):
        """Starts again from `seed`; the generator itself is the result."""
        self._seed = int(seed)
        self._numbers = np.random.RandomState(self._seed & 0xFFFFFFFF)
        return self

    def seed(self):
        """Starts again from a seed that the system gives, which is the result."""
        self.manual_seed(int.from_bytes(os.urandom(7), "little"))
        return self._seed

    def initial_seed(self):
        """The seed it started from."""
        return self._seed

    def get_state(self):
        """Where it stands: for `set_state`, of no other use."""
        return self._seed, self._numbers.get_state()

    def set_state(self, new_state):
        """Goes back to where `get_state` found it."""
        self._seed, numbers = new_state
        self._numbers.set_state(numbers)

    def clone_state(self):
        """A generator that goes on from here by itself."""
        other = type(self)(self.device)
        other.set_state(self.get_state())
        return other

    def integer(self):
        """32 random bits."""
        return int(self._numbers.randint(0, 2**32, dtype=np.uint32))

    def long(self):
        """63 random bits: what ``torch.empty((), dtype=torch.int64).random_()`` draws."""
        high = self.integer()
        return (high << 32 | self.integer()) & (2**63 - 1)

    def uniform(self):
        """A float32 in [0, 1): what ``torch.rand(())`` draws."""
        return (self.integer() & 0xFFFFFF) / 2**24

    def between(self, low, high):
        """A float32 in [low, high): what ``torch.empty(1).uniform_(low, high)`` draws."""
        low, high = np.float32(low), np.float32(high)
        return float(np.float32(self.uniform() * float(high - low) + float(low)))  # one rounding, as torch's fused operation

    def normals(self, count):
        """At least 16 float32 numbers of the standard normal distribution: torch.randn's, up to the last bit or two."""
        if count < 16:
            raise ValueError("fewer than 16 numbers are drawn in another way")
        values = self._uniforms(count)
        whole = count // 16 * 16
        values[:whole] = self._gaussian(values[:whole])
        if whole < count:
            values[-16:] = self._gaussian(self._uniforms(16))
        return values

    def _uniforms(self, count):
        drawn = self._numbers.randint(0, 2**32, size=count, dtype=np.uint32)
        return (drawn & 0xFFFFFF).astype(np.float32) / np.float32(2**24)

    def _gaussian(self, uniforms):
        """Box and Muller's transform of sixteens: eight radii, then eight angles."""
        pairs = uniforms.reshape(-1, 2, 8)
        radius = np.sqrt(np.float32(-2) * np.log(np.float32(1) - pairs[:, 0]))
        angle = np.float32(2 * np.pi) * pairs[:, 1]
        return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)

    def integers(self, low, high, count):
        """`count` integers in [low, high): what ``torch.randint`` draws."""
        if high - low < 2**32:
            drawn = self._numbers.randint(0, 2**32, size=count, dtype=np.uint32).astype(np.int64)
            return (drawn % (high - low) + low).tolist()
        return [(self.integer() << 32 | self.integer()) % (high - low) + low for _ in range(count)]

    def permutation(self, count):
        """The numbers below `count` in random order: what ``torch.randperm`` draws."""
        order = list(range(count))
        drawn = self._numbers.randint(0, 2**32, size=max(count - 1, 0), dtype=np.uint32).tolist()
        for place, number in enumerate(drawn):
            other = place + number % (count - place)
            order[place], order[other] = order[other], order[place]
        return order

    def weighted(self, weights, count, replacement):
        """`count` places, drawn in proportion to float64 `weights`: what ``torch.multinomial`` draws.

        With replacement (or one draw) the same numbers as torch; without, the same distribution.
        """
        weights = np.asarray(weights, dtype=np.float64)
        if not replacement and count > 1:
            chances = weights / weights.sum()
            return self._numbers.choice(len(weights), size=count, replace=False, p=chances).tolist()
        sums = np.cumsum(weights)
        sums = sums / sums[-1]
        sums[-1] = 1.0
        drawn = []
        for _ in range(count):
            high = self.integer()
            drawn.append(((high << 32 | self.integer()) & (2**53 - 1)) / 2**53)
        return np.searchsorted(sums, drawn).tolist()


#: Like torch's, it starts anywhere until it is seeded.
default_generator = Generator().manual_seed(int.from_bytes(os.urandom(4), "little"))


@equivalent("torch.Generator.manual_seed")
def seed_generator(self, seed):
    """Starts again from `seed`; the generator itself is the result."""
    return self.manual_seed(seed)


@equivalent("torch.Generator.initial_seed")
def generator_seed(self):
    """The seed it started from."""
    return self.initial_seed()


@equivalent("torch.Generator.seed")
def seed_by_chance(self):
    """Starts again from a seed that the system gives, which is the result."""
    return self.seed()


@equivalent("torch.Generator.get_state", differs=[difference("the state is a tuple for set_state, not a tensor", risk="loud", zh="状态是元组而不是张量")])
def state_of(self):
    """Where it stands: for `set_state`, of no other use."""
    return self.get_state()


@equivalent("torch.Generator.set_state")
def set_state_of(self, new_state):
    """Goes back to where `get_state` found it."""
    return self.set_state(new_state)


@attribute("torch.Generator.device")
def generator_device(self):
    """The device that was asked for; the numbers are drawn on the host."""
    return self.device


@equivalent("torch.manual_seed", "torch.random.manual_seed")
def manual_seed(seed):
    """Seeds MindSpore's random operators and the order of data; `random` and NumPy's numbers are not touched.

    https://docs.pytorch.org/docs/2.13/generated/torch.manual_seed.html. `ms.set_seed` seeds Python's and NumPy's
    global generators, too: torch leaves them where the program put them.
    """
    others = streams()
    ms.set_seed(int(seed) & 0xFFFFFFFF)
    set_streams(others)
    seed_initializers()
    return default_generator.manual_seed(seed)


@equivalent("torch.cuda.manual_seed", "torch.cuda.manual_seed_all")
def seed_of_devices(seed):
    """Seeds MindSpore's random operators; the order of data, `random` and NumPy's numbers are not touched.

    https://docs.pytorch.org/docs/2.13/generated/torch.cuda.manual_seed.html
    """
    others = streams()
    ms.set_seed(int(seed) & 0xFFFFFFFF)
    set_streams(others)


@equivalent("torch.initial_seed", "torch.random.initial_seed")
def initial_seed():
    """The seed that `manual_seed` set."""
    return default_generator.initial_seed()


@equivalent(
    "torch.seed", "torch.random.seed",
    differs=[difference("the seed is another one each time, as torch's is", risk="style", zh="每次的种子都不同，与 torch 相同")],
)
def seed():
    """Seeds everything by chance; the seed is the result."""
    chosen = int.from_bytes(os.urandom(4), "little")
    manual_seed(chosen)
    return chosen


def worker_streams(base_seed, worker):
    """Seeds `random`, NumPy and torch's generator as one of torch's worker processes does at its start."""
    random.seed(base_seed + worker)
    default_generator.manual_seed(base_seed + worker)
    entropy = [worker, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
    np.random.seed(np.random.SeedSequence(entropy).generate_state(4).tolist())


def streams():
    """Where the three host generators stand."""
    return random.getstate(), np.random.get_state(), default_generator.get_state()


def set_streams(state):
    """Puts the three host generators where `streams` found them."""
    random.setstate(state[0])
    np.random.set_state(state[1])
    default_generator.set_state(state[2])
