from types import SimpleNamespace
import numpy as np
import torch
from agents import a2c, ddpg, dqn, ppo, sac, td3, vpg
from probe import attempt, fill, keep, say


class Env:
    def __init__(self, discrete=False):
        self.rng = np.random.RandomState(0)
        self.action_space = self
        self.discrete = discrete

    def sample(self):
        return self.rng.uniform(-1, 1, 1)

    def reset(self):
        self.state, self.time = self.rng.uniform(-1, 1, 3), 0
        return self.state

    def step(self, action):
        self.time += 1
        self.state = 0.9 * self.state + 0.1 * np.sin(self.time + np.sum(action))
        return self.state, float(self.state[0]), self.time >= 12, {}


def run(name, kind, algo, nets, discrete=False, **options):
    np.random.seed(1)
    env = Env(discrete)
    args = SimpleNamespace(algo=algo, render=False)
    sizes = (3, 2) if discrete else (3, 1, 1.0)
    agent = kind.Agent(env, args, torch.device("cpu"), *sizes, **options)
    for i, net in enumerate(nets):
        fill(getattr(agent, net), i)
    for net in nets:
        target = getattr(agent, net + "_target", None)
        if target is not None:
            target.load_state_dict(getattr(agent, net).state_dict())
    for episode in range(3):
        say(f"{name} {episode}", *agent.run(12), *[v for k, v in sorted(agent.logger.items())])
    agent.eval_mode = True
    say(name + " evaluated", *agent.run(12))
    for net in nets:
        keep(f"{name}-{net}", getattr(agent, net))


attempt("dqn", lambda: run("dqn", dqn, "dqn", ["qf"], True, batch_size=8, target_update_step=5, q_losses=[], logger={}))
attempt("ddqn", lambda: run("ddqn", dqn, "ddqn", ["qf"], True, batch_size=8, target_update_step=5, q_losses=[], logger={}))
attempt("a2c", lambda: run("a2c", a2c, "a2c", ["policy", "vf"], True, policy_losses=[], vf_losses=[], logger={}))
attempt("ppo", lambda: run("ppo", ppo, "ppo", ["policy", "vf"], sample_size=12, train_policy_iters=3, train_vf_iters=3, policy_losses=[], vf_losses=[], kls=[], logger={}))
attempt("vpg", lambda: run("vpg", vpg, "vpg", ["policy", "vf"], sample_size=12, train_vf_iters=3, policy_losses=[], vf_losses=[], kls=[], logger={}))
attempt("ddpg", lambda: run("ddpg", ddpg, "ddpg", ["policy", "qf"], expl_before=6, train_after=10, batch_size=8, policy_losses=[], qf_losses=[], logger={}))
attempt("td3", lambda: run("td3", td3, "td3", ["policy", "qf1", "qf2"], expl_before=6, train_after=10, batch_size=8, policy_losses=[], qf_losses=[], logger={}))
attempt("sac", lambda: run("sac", sac, "sac", ["policy", "qf1", "qf2"], expl_before=6, train_after=10, batch_size=8, automatic_entropy_tuning=True, policy_losses=[], qf1_losses=[], qf2_losses=[], alpha_losses=[], logger={}))
