import numpy as np
import torch
import DDPG
import OurDDPG
import TD3
import utils
from probe import attempt, fill, keep, say


def run(name, make):
    rng = np.random.RandomState(0)
    buffer = utils.ReplayBuffer(5, 2, max_size=64)
    for i in range(40):
        buffer.add(rng.randn(5), rng.uniform(-2, 2, 2), rng.randn(5), rng.randn(), float(rng.rand() > 0.8))
    policy = make()
    for i, net in enumerate([policy.actor, policy.critic, policy.actor_target, policy.critic_target]):
        fill(net, i)
    np.random.seed(0)
    for step in range(4):
        policy.train(buffer, 16)
        say("%s %d" % (name, step), *policy.select_action(rng.randn(5)))
    policy.save("./" + name)
    policy.load("./" + name)
    for step in range(2):
        policy.train(buffer, 16)
    keep(name + "-actor", policy.actor)
    keep(name + "-critic", policy.critic)
    keep(name + "-target", policy.critic_target)


attempt("td3", lambda: run("td3", lambda: TD3.TD3(5, 2, 2.0)))
attempt("ours", lambda: run("ours", lambda: OurDDPG.DDPG(5, 2, 2.0)))
attempt("ddpg", lambda: run("ddpg", lambda: DDPG.DDPG(5, 2, 2.0)))
