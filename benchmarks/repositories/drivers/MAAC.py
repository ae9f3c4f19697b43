import numpy as np
import torch
from algorithms.attention_sac import AttentionSAC
from utils.buffer import ReplayBuffer
from probe import array, attempt, fill, keep, say


class Logger:
    def __init__(self):
        self.values = []

    def add_scalar(self, name, value, step):
        self.values.append(float(value))

    def add_scalars(self, name, values, step):
        self.values.extend(float(v) for v in values.values())


def main():
    params = [{"num_in_pol": 5, "num_out_pol": 3}, {"num_in_pol": 6, "num_out_pol": 4}, {"num_in_pol": 5, "num_out_pol": 3}]
    sizes = [(5, 3), (6, 4), (5, 3)]
    start = dict(agent_init_params=params, sa_size=sizes, gamma=0.99, tau=0.01, pi_lr=0.001, q_lr=0.001, reward_scale=10.0, pol_hidden_dim=16, critic_hidden_dim=16, attend_heads=4)
    model = AttentionSAC(**start)
    model.init_dict = start
    for i, net in enumerate([model.critic, model.target_critic] + model.policies + model.target_policies):
        fill(net, i)
    buffer = ReplayBuffer(64, 3, [5, 6, 5], [3, 4, 3])
    rng = np.random.RandomState(0)
    np.random.seed(3)
    model.prep_rollouts(device="cpu")
    obs = [rng.randn(3, n).astype("float32") for n in (5, 6, 5)]
    for t in range(8):
        stacked = np.array([[obs[a][i] for a in range(3)] for i in range(3)], dtype=object)
        actions = model.step([torch.Tensor(np.vstack(stacked[:, a])) for a in range(3)], explore=True)
        agent_actions = [ac.data.numpy() for ac in actions]
        after = [rng.randn(3, n).astype("float32") for n in (5, 6, 5)]
        nexts = np.array([[after[a][i] for a in range(3)] for i in range(3)], dtype=object)
        buffer.push(stacked, agent_actions, rng.randn(3, 3), nexts, rng.rand(3, 3) > 0.8)
        obs = after
        say("act %d" % t, *[a.argmax(1).sum() for a in agent_actions])
    logger = Logger()
    model.prep_training(device="cpu")
    for step in range(3):
        sample = buffer.sample(12, to_gpu=False)
        model.update_critic(sample, logger=logger)
        model.update_policies(sample, logger=logger)
        model.update_all_targets()
        say("losses %d" % step, *logger.values)
        logger.values = []
    model.prep_rollouts(device="cpu")
    model.save("model.pt")
    other = AttentionSAC.init_from_save("model.pt", load_critic=True)
    sample = buffer.sample(12, to_gpu=False)
    other.prep_training(device="cpu")
    other.update_critic(sample, logger=logger)
    say("loaded", *logger.values)
    keep("critic", other.critic)
    keep("policy", model.agents[0].policy)
    keep("target", model.target_critic)


attempt("maac", main)
