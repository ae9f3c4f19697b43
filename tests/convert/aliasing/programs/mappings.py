"""What stands under one text of a mapping is another tensor than what stands under the others."""

import collections

import torch


def moments(a, b):
    state = {}
    for grad in (a, b.reshape(a.shape) if b.numel() == a.numel() else a * 2):
        if not state:
            state["step"] = 0
            state["mean"] = torch.zeros_like(a)
            state["square"] = torch.zeros_like(a)
        mean, square = state["mean"], state["square"]
        state["step"] += 1
        mean.mul_(0.9).add_(grad, alpha=0.1)
        square.mul_(0.99).addcmul_(grad, grad, value=0.01)
        moved = mean / square.add_(1e-3).sqrt()
    return state["step"], state["mean"], state["square"], moved


class Keeper:
    def __init__(self):
        self.state = {}

    def update(self, key, grad, largest):
        state = self.state.setdefault(key, {})
        if len(state) == 0:
            state["count"] = 0
            state["sum"] = grad * 0
            if largest:
                state["largest"] = grad * 0
        total = state["sum"]
        if largest:
            top = state["largest"]
        state["count"] += 1
        total.mul_(0.5).add_(grad)
        if largest:
            torch.max(top, total, out=top)
            return top.add_(1).sqrt()
        return total.add_(1).abs().sqrt()


def kept(a, b):
    keeper = Keeper()
    found = [keeper.update("a", a, False), keeper.update("a", a * 2, False), keeper.update("b", b, True), keeper.update("b", b * 3, True)]
    return (*found, keeper.state["a"]["sum"], keeper.state["b"]["largest"], keeper.state["b"]["sum"], keeper.state["a"]["count"])


def counted_before(a, b):
    state = {"step": 3, "x": a * 1}
    step = state["step"]
    state["step"] += 1
    x = state["x"]
    state["x"] += 1
    return step, state["step"], x, state["x"]


def two_names_of_one(a, b):
    state = {"x": a * 1}
    other = state
    x = other["x"]
    state["x"].mul_(2)
    other["x"].add_(b.sum())
    return x, state["x"], other["x"]


def copied_over(a, b):
    state = {"old": a * 1, "new": b * 1}
    state["old"] = state["new"]
    state["old"].add_(1)
    state["new"].mul_(3)
    return state["old"], state["new"]


def changed_by_a_call(a, b):
    def advance(state):
        state["x"].mul_(2)
        state["y"] = state["y"] + 1
        return state["x"]

    state = {"x": a * 1, "y": b * 1}
    x, y = state["x"], state["y"]
    got = advance(state)
    return x, y, got, state["x"], state["y"]


class Averages:
    def __init__(self):
        self.state = {}

    def step(self, key, grad, betas):
        state = self.state.setdefault(key, {})
        if "buffers" not in state:
            state["buffers"] = {}
            for beta in betas:
                state["buffers"][beta] = torch.zeros_like(grad)
        total = grad * 0
        for beta in betas:
            buffer = state["buffers"][beta]
            buffer.mul_(beta).add_(grad)
            total = total + buffer
        return total


def nested(a, b):
    averages = Averages()
    found = [averages.step("a", a, (0.5, 0.9)), averages.step("a", a * 2, (0.5, 0.9)), averages.step("b", b, (0.1,))]
    return (*found, averages.state["a"]["buffers"][0.9])


class Lazy:
    def __init__(self):
        self.memory = None

    def push(self, x):
        if self.memory is None:
            self.memory = {}
            self.memory["sum"] = x * 0
        total = self.memory["sum"]
        total.add_(x)
        return self.memory


def made_at_first_use(a, b):
    lazy = Lazy()
    lazy.push(a)
    return lazy.push(a * 3)["sum"], lazy.memory["sum"]


class Slow:
    def __init__(self, alpha):
        self.alpha = alpha
        self.state = {}

    def follow(self, key, fast):
        state = self.state.setdefault(key, {})
        if "slow" not in state:
            state["slow"] = fast * 1
            state["calls"] = 0
        slow, calls = state["slow"], state["calls"]
        slow += (fast - slow) * self.alpha
        calls += 1
        return slow, calls


def slow_weights(a, b):
    slow = Slow(0.5)
    slow.follow("a", a)
    found = slow.follow("a", a * 3)
    return (*found, slow.state["a"]["slow"], slow.state["a"]["calls"])


class Momentum:
    def __init__(self):
        self.state = collections.defaultdict(dict)

    def step(self, values):
        for key, value in enumerate(values):
            velocity = self.state[key].setdefault("velocity", torch.zeros_like(value))
            velocity.mul_(0.5).add_(value)
            largest = self.state[key].setdefault("largest", value * 0)
            largest += value


def given_by_default(a, b):
    state = collections.defaultdict(dict)
    for _ in range(2):
        velocity = state["a"].setdefault("velocity", torch.zeros_like(a))
        velocity.mul_(0.5).add_(a)
    plain = {}
    for _ in range(2):
        total = plain.setdefault("total", b * 0)
        total += b
    momentum = Momentum()
    momentum.step([a, b])
    momentum.step([a * 2, b])
    return velocity, state["a"]["velocity"], plain["total"], momentum.state[0]["velocity"], momentum.state[1]["largest"]


def asked_of_what_was_filled(a, b):
    first = {}
    first["x"] = a * 1
    first.get("x").sub_(1)
    x = first.get("x")
    x *= 2
    for y in first.values():
        y.add_(3)
    second = collections.OrderedDict()
    second["x"] = b * 1
    second["y"] = a * 1
    last = second.popitem()[1]
    last.add_(1)
    third = dict()
    third.update(x=b * 2)
    popped = third.pop("x")
    third["y"] = popped
    popped += 1
    return first["x"], second["x"], last, third["y"]
