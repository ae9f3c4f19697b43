import tempfile
import numpy as np
import torch
from pathlib import Path
from src.iql import ImplicitQLearning
from src.policy import DeterministicPolicy, GaussianPolicy
from src.util import Log, compute_batched, evaluate_policy, return_range, sample_batch, set_seed, torchify
from src.value_functions import TwinQ, ValueFunction
from probe import array, attempt, fill, keep, say


class Env:
    def seed(self, seed):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.steps = 0
        return self.rng.randn(5)

    def step(self, action):
        self.steps += 1
        return self.rng.randn(5), float(action.sum()), self.steps >= 4, {}


def made():
    rng = np.random.RandomState(3)
    terminals = np.arange(40) % 7 == 6
    return {"observations": rng.randn(40, 5).astype("float32"), "actions": np.tanh(rng.randn(40, 2)).astype("float32"), "next_observations": rng.randn(40, 5).astype("float32"), "rewards": rng.randn(40), "terminals": terminals}


def run(name, policy):
    dataset, env = made(), Env()
    low, high = return_range(dataset, 5)
    say(name + " returns", low, high)
    dataset["rewards"] /= high - low
    for k, v in dataset.items():
        dataset[k] = torchify(v)
    set_seed(2, env=env)
    fill(policy, 4)
    qf, vf = TwinQ(5, 2, 16, 2), ValueFunction(5, 16, 2)
    fill(qf, 1)
    fill(vf, 2)
    iql = ImplicitQLearning(qf=qf, vf=vf, policy=policy, optimizer_factory=lambda params: torch.optim.Adam(params, lr=3e-3), max_steps=8, tau=0.7, beta=3.0, alpha=0.05, discount=0.99)
    log = Log(Path(tempfile.mkdtemp()) / "made", {"name": name})
    for step in range(6):
        iql.update(**sample_batch(dataset, 8))
        say(f"{name} {step}", iql.policy_lr_schedule.get_last_lr()[0] * 1e3, sum(p.abs().sum().item() for p in iql.q_target.parameters()))
    returns = np.array([evaluate_policy(env, policy, 10) for _ in range(2)])
    log.row({"return mean": returns.mean(), "return std": returns.std()})
    say(name + " evaluated", *returns)
    say(name + " batched", *(v.sum().item() for v in compute_batched(iql.vf, [array(1, 3, 5), array(2, 2, 5)])))
    torch.save(iql.state_dict(), log.dir / "final.pt")
    log.close()
    keep(name, iql)
    iql.load_state_dict(torch.load(log.dir / "final.pt"))
    say(name + " loaded", sum(p.abs().sum().item() for p in iql.parameters()))


attempt("gaussian", lambda: run("gaussian", GaussianPolicy(5, 2, hidden_dim=16)))
attempt("deterministic", lambda: run("deterministic", DeterministicPolicy(5, 2, hidden_dim=16)))
