import numpy as np
import torch
import utils
from agent.actor import DiagGaussianActor
from agent.critic import DoubleQCritic
from agent.sac import SACAgent
from probe import attempt, fill, keep, say
from replay_buffer import ReplayBuffer


class Logger:
    def __init__(self, name):
        self.name = name

    def log(self, key, value, step):
        say("%s %s %d" % (self.name, key, step), value)

    def log_histogram(self, key, value, step):
        say("%s %s %d" % (self.name, key, step), value.sum().item())

    def log_param(self, key, module, step):
        if step == 2:
            say("%s %s" % (self.name, key), module.weight.grad.abs().sum().item(), module.bias.grad.sum().item())


def run(name, learnable):
    rng = np.random.RandomState(0)
    buffer = ReplayBuffer((5,), (2,), 32, torch.device("cpu"))
    for i in range(40):
        buffer.add(rng.randn(5), rng.uniform(-1, 1, 2), rng.randn(), rng.randn(5), rng.rand() > 0.8, False)
    agent = SACAgent(5, 2, [-1.0, 1.0], "cpu", lambda: DoubleQCritic(7 - 2, 2, 8, 2), lambda: DiagGaussianActor(5, 2, 8, 2, [-5, 2]), 0.99, 0.1, 1e-3, [0.9, 0.999], 1e-3, [0.9, 0.999], 1, 1e-3, [0.9, 0.999], 0.05, 2, 16, learnable)
    for i, net in enumerate([agent.actor, agent.critic]):
        fill(net, i)
    agent.critic_target.load_state_dict(agent.critic.state_dict())
    np.random.seed(1)
    for step in range(4):
        agent.update(buffer, Logger(name), step)
        with utils.eval_mode(agent):
            say("%s act %d" % (name, step), *agent.act(rng.randn(5)), agent.training)
    say(name + " alpha", agent.alpha.item(), agent.log_alpha.item())
    keep(name + "-actor", agent.actor)
    keep(name + "-critic", agent.critic)
    keep(name + "-target", agent.critic_target)


attempt("learned", lambda: run("learned", True))
attempt("fixed", lambda: run("fixed", False))
