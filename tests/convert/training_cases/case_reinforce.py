"""An episode's losses in a list, computed by a helper on the object."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


class Agent:
    def __init__(self):
        self.policy = Net()
        start(self.policy)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=0.02)

    def log_prob(self, state, action):
        return F.log_softmax(self.policy(state), dim=-1)[action]

    def update(self, states, actions, rewards):
        returns, running = [], 0.0
        for r in rewards[::-1]:
            running = r + 0.9 * running
            returns.insert(0, running)
        policy_loss = []
        for state, action, value in zip(states, actions, returns):
            policy_loss.append(-self.log_prob(state, action) * value)
        self.optimizer.zero_grad()
        policy_loss = torch.stack(policy_loss).sum()
        policy_loss.backward()
        self.optimizer.step()
        return policy_loss.item()


def main():
    agent = Agent()
    for s, a, r in zip(arrays(6, 4, 6), arrays(6, 4, classes=3), arrays(6, 4, seed=8)):
        record(agent.update([torch.from_numpy(row) for row in s], [int(k) for k in a], [float(v) for v in r]))
    finish(agent.policy)
