"""L-BFGS: steps along a direction that the last changes of the gradient correct."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, _no_grad

from mindport.declare import Refused, layer
from mindport.equivalents.optimizers.line_search import Point, strong_wolfe
from mindport.equivalents.optimizers.optimizer import Optimizer, check_range


@layer("torch.optim.LBFGS")
class LBFGS(Optimizer):
    """One group of parameters as one vector; `step(closure)` calls the closure several times.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.LBFGS.html. Directions are computed on the host, in the
    parameters' precision: all decisions need their numbers there. Where a loss has become as flat as rounding, the number of
    calls until the end may be another than in torch, whose sums of products round in another order.
    """

    numbers = ()

    def __init__(
        self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100,
        line_search_fn=None,
    ):  # fmt: skip
        check_range(lr=float(lr))
        super().__init__(params, {
            "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
            "line_search_fn": line_search_fn,
        })  # fmt: skip
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        for p in self.parameters:
            if p.dtype not in (ms.float32, ms.float64):
                raise Refused(f"L-BFGS needs parameters of float32 or float64, {p.name} has {p.dtype}")

    def __call__(self, grads):
        """Not possible: every step needs the loss and gradients at several places."""
        raise Refused("LBFGS takes no gradients: call step(closure) with a function that computes loss and gradients")

    def values(self):
        """All parameters' elements one after the other."""
        return np.concatenate([p.asnumpy().reshape(-1) for p in self.parameters])

    def gradients(self):
        """All gradients' elements, zeros where there is none."""
        found = [getattr(p, "grad", None) for p in self.parameters]
        pairs = zip(self.parameters, found)
        return np.concatenate([np.zeros(p.size, p.asnumpy().dtype) if g is None else g.asnumpy().reshape(-1) for p, g in pairs])

    def write(self, values):
        """Sets the parameters to the elements of a vector."""
        begin = 0
        for p in self.parameters:
            part = values[begin : begin + p.size].reshape(p.shape)
            begin += p.size
            with _no_grad():  # a tape may be recording, as the closure takes its gradients
                p.copy_(Tensor(part, p.dtype))

    def step(self, closure):
        """Up to max_iter iterations with up to max_eval calls of the closure; its first loss is the result."""
        group = self.param_groups[0]
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        with np.errstate(all="ignore"):
            return self.iterate(group, closure)

    def iterate(self, group, closure):
        """The iterations of one step."""
        state, rate = self.state[self.parameters[0]], float(group["lr"])
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first = closure()
        loss, gradient, calls = float(first), self.gradients(), 1
        state["func_evals"] += 1
        if np.abs(gradient).max() <= group["tolerance_grad"]:
            return first
        # Taken up where the step before stopped; given back only where this one ends.
        memory = {name: value for name, value in state.items() if name not in ("func_evals", "n_iter")}
        done = 0
        while done < group["max_iter"]:
            done += 1
            state["n_iter"] += 1
            remember(memory, gradient, group["history_size"], state["n_iter"] == 1)
            if state["n_iter"] > 1:
                state["al"] = memory["al"]
            direction = memory["d"]
            memory["prev_flat_grad"], memory["prev_loss"] = gradient, loss
            place = min(1.0, 1.0 / float(np.abs(gradient).sum())) * rate if state["n_iter"] == 1 else rate
            memory["t"] = place
            slope = product(gradient, direction)
            if slope > -group["tolerance_change"]:
                break
            start = self.values()
            used = 0
            if group["line_search_fn"] is None:
                self.write(start + scaled(direction, place))
                if done != group["max_iter"]:
                    loss, used = float(closure()), 1
                    gradient = self.gradients()
            else:
                found, used = self.search(group, closure, start, direction, Point(0, loss, gradient, slope), place, calls)
                place, loss, gradient = found.place, found.loss, found.gradient
                memory["t"] = place
            calls += used
            state["func_evals"] += used
            if (
                done == group["max_iter"]
                or calls >= group["max_eval"]
                or np.abs(gradient).max() <= group["tolerance_grad"]
                or np.abs(scaled(direction, place)).max() <= group["tolerance_change"]
                or abs(loss - memory["prev_loss"]) < group["tolerance_change"]
            ):
                break
        state.update(memory)
        return first

    def search(self, group, closure, start, direction, origin, place, calls):
        """The point of a line search, where the parameters then are, and the number of calls."""

        def evaluate(place):
            self.write(start + scaled(direction, place))
            loss = float(closure())
            gradient = self.gradients()
            return Point(place, loss, gradient, product(gradient, direction))

        size, tries = np.abs(direction).max(), group["max_eval"] - calls
        found, used = strong_wolfe(evaluate, origin, place, size, 1e-9, tries)
        self.write(start + scaled(direction, found.place))
        return found, used

    def saved(self, p):
        """The state with tensors for arrays and for numbers of the parameters' precision."""
        return {name: as_tensors(value, p.dtype) for name, value in self.state[p].items()}

    def restored(self, p, name, value):
        """A saved state entry as arrays."""
        return as_arrays(value)


def remember(memory, gradient, most, is_first):
    """Takes in the last change of gradient and parameters, and computes the next direction: memory["d"]."""
    if is_first:
        memory.update(d=-gradient, old_dirs=[], old_stps=[], ro=[], H_diag=1)
        return
    change, moved = gradient - memory["prev_flat_grad"], scaled(memory["d"], memory["t"])
    curvature = product(change, moved)
    changes, moves, factors = memory["old_dirs"], memory["old_stps"], memory["ro"]
    if curvature > 1e-10:
        if len(changes) == most:
            for kept in (changes, moves, factors):
                kept.pop(0)
        changes.append(change)
        moves.append(moved)
        factors.append(1.0 / curvature)
        memory["H_diag"] = curvature / product(change, change)
    # The two loops: Nocedal and Wright, algorithm 7.4.
    shares = memory.setdefault("al", [None] * most)
    found = -gradient
    for i in reversed(range(len(changes))):
        shares[i] = product(moves[i], found) * factors[i]
        found = found - scaled(changes[i], shares[i])
    found = scaled(found, memory["H_diag"])
    for i in range(len(changes)):
        found = found + scaled(moves[i], shares[i] - product(changes[i], found) * factors[i])
    memory["d"] = found


def product(one, two):
    """The inner product, as a number whose division by zero is infinite."""
    return np.float64(one.dot(two))


def scaled(vector, number):
    """A vector times a number, in the vector's precision."""
    return vector * vector.dtype.type(number)


def as_tensors(value, dtype):
    """Arrays and numbers as tensors, in lists too."""
    if isinstance(value, list):
        return [as_tensors(item, dtype) for item in value]
    if isinstance(value, np.ndarray):
        return Tensor(value)
    return Tensor(float(value), dtype) if isinstance(value, np.float64) else value


def as_arrays(value):
    """Tensors as arrays, those of one element as numbers, in lists too."""
    if isinstance(value, list):
        return [as_arrays(item) for item in value]
    if isinstance(value, (Tensor, np.ndarray)):
        found = np.array(value.asnumpy() if isinstance(value, Tensor) else value)
        return np.float64(found) if found.ndim == 0 else found
    return value
