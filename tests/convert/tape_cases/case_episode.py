"""REINFORCE: log probabilities gathered while the episode runs, the loss after it."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Net(6, 8, 3)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return F.softmax(self.body(x), dim=-1)


def select_action(policy, state, choice):
    state = torch.from_numpy(state).float().unsqueeze(0)
    dist = Categorical(policy(state))
    action = torch.tensor([int(choice)])
    policy.saved_log_probs.append(dist.log_prob(action))
    return action.item()


def finish_episode(policy, optimizer):
    R = 0
    policy_loss = []
    returns = []
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    for log_prob, R in zip(policy.saved_log_probs, returns):
        policy_loss.append(-log_prob * R)
    optimizer.zero_grad()
    policy_loss = torch.cat(policy_loss).sum()
    policy_loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    return policy_loss.item()


def main():
    policy = Policy()
    start(policy)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for states, choices, rewards in zip(arrays(6, 7, 6), arrays(6, 7, classes=3), arrays(6, 7, seed=5)):
        for state, choice, reward in zip(states, choices, rewards):
            select_action(policy, state, choice)
            policy.rewards.append(float(reward))
        record(finish_episode(policy, optimizer))
    finish(policy)
