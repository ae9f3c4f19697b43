import numpy as np
import torch
from Categorical_DQN import CDQN_agent

from probe import array, fill, keep, say


class Replayed:
    def __init__(self, real):
        self.real, self.turn = real, 0

    def sample(self, size):
        self.turn += 1
        r = np.random.RandomState(self.turn)
        chosen = torch.from_numpy(r.randint(0, self.real.size, size))
        return self.real.s[chosen], self.real.a[chosen], self.real.r[chosen], self.real.s_next[chosen], self.real.dw[chosen]


def main():
    r = np.random.RandomState(0)
    agent = CDQN_agent(state_dim=4, action_dim=3, net_width=12, dvc=torch.device("cpu"), lr=1e-3, gamma=0.99, batch_size=8, exp_noise=0.0, v_min=-2, v_max=2, n_atoms=11, DQL=True)
    fill(agent.q_net, 1)
    agent.q_target.load_state_dict(agent.q_net.state_dict())
    state = r.randn(4).astype(np.float32)
    for i in range(20):
        action = agent.select_action(state, deterministic=True)
        later = (0.9 * state + 0.3 * r.randn(4)).astype(np.float32)
        agent.replay_buffer.add(state, action, float(later[action]), later, i % 7 == 6)
        state = later
    say("buffer", agent.replay_buffer.size, agent.replay_buffer.r[:20].sum(), agent.replay_buffer.dw[:20].sum())
    agent.replay_buffer = Replayed(agent.replay_buffer)
    for step in range(4):
        agent.train()
        say(f"step {step}", agent.m.sum(), *[p.detach().abs().sum() for p in agent.q_net.parameters()], *[p.sum() for p in agent.q_target.parameters()])
    keep("c51", agent.q_net)
    keep("target", agent.q_target)
    say("actions", *[agent.select_action(s, deterministic=True) for s in array(9, 6, 4).numpy()])


main()
