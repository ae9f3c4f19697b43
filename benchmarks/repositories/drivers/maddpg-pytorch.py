import tempfile
import numpy as np
import torch
from torch.autograd import Variable
from algorithms import maddpg as module
from utils.buffer import ReplayBuffer
from probe import attempt, fill, keep, say


class Box:
    def __init__(self, size):
        self.shape = (size,)


class Discrete:
    def __init__(self, n):
        self.n = n


module.Box = Box


class Env:
    agent_types = ["adversary", "agent", "agent"]

    def __init__(self, discrete):
        self.observation_space = [Box(4), Box(5), Box(5)]
        self.action_space = [Discrete(3) if discrete else Box(2) for _ in range(3)]


def run(key, discrete, adversary):
    rng = np.random.RandomState(2)
    np.random.seed(5)
    maddpg = module.MADDPG.init_from_env(Env(discrete), agent_alg="MADDPG", adversary_alg=adversary, tau=0.01, lr=0.01, hidden_dim=12)
    for i, agent in enumerate(maddpg.agents):
        for j, net in enumerate((agent.policy, agent.critic, agent.target_policy, agent.target_critic)):
            fill(net, 3 * i + j % 2)
    size = 3 if discrete else 2
    buffer = ReplayBuffer(24, 3, [4, 5, 5], [size] * 3)
    maddpg.prep_rollouts(device="cpu")
    obs = np.array([[rng.randn(4), rng.randn(5), rng.randn(5)] for _ in range(2)], dtype=object)
    maddpg.scale_noise(0.3)
    maddpg.reset_noise()
    for step in range(14):
        torch_obs = [Variable(torch.Tensor(np.vstack(obs[:, i])), requires_grad=False) for i in range(maddpg.nagents)]
        actions = [ac.data.numpy() for ac in maddpg.step(torch_obs, explore=True)]
        following = np.array([[rng.randn(4), rng.randn(5), rng.randn(5)] for _ in range(2)], dtype=object)
        buffer.push(obs, actions, rng.randn(2, 3), following, rng.rand(2, 3) < 0.1)
        obs = following
    say(key + " acted", *(np.abs(a).sum() for a in actions))
    maddpg.prep_training(device="cpu")
    for step in range(3):
        for a_i in range(maddpg.nagents):
            maddpg.update(buffer.sample(12, to_gpu=False), a_i)
        maddpg.update_all_targets()
        say(f"{key} {step}", *(sum(p.abs().sum().item() for p in net.parameters()) for a in maddpg.agents for net in (a.policy, a.critic, a.target_critic)))
    say(key + " rewards", *buffer.get_average_rewards(8))
    folder = tempfile.mkdtemp()
    maddpg.save(folder + "/model.pt")
    for i, agent in enumerate(maddpg.agents):
        keep(f"{key}-{i}-policy", agent.policy)
        keep(f"{key}-{i}-critic", agent.critic)
    again = module.MADDPG.init_from_save(folder + "/model.pt")
    again.prep_rollouts(device="cpu")
    say(key + " again", *(a.abs().sum() for a in again.step(torch_obs, explore=False)))


attempt("continuous", lambda: run("continuous", False, "DDPG"))
attempt("discrete", lambda: run("discrete", True, "MADDPG"))
