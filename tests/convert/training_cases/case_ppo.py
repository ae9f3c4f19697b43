"""x"""
import torch
import torch.nn.functional as F
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn


from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3), nn.Softmax(dim=-1))
        self.critic = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))

    def evaluate(self, state, action):
        dist = Categorical(self.actor(state))
        return dist.log_prob(action), torch.squeeze(self.critic(state)), dist.entropy()


class PPO:
    def __init__(self):
        self.policy = ActorCritic()
        start(self.policy)
        self.optimizer = torch.optim.Adam([{'params': self.policy.actor.parameters(), 'lr': 0.003}, {'params': self.policy.critic.parameters(), 'lr': 0.001}])
        self.policy_old = ActorCritic()
        self.policy_old.load_state_dict(self.policy.state_dict())
        self.MseLoss = nn.MSELoss()

    def update(self, states, actions, rewards):
        discounted = 0
        out = []
        for r in reversed(rewards):
            discounted = r + 0.9 * discounted
            out.insert(0, discounted)
        rewards = torch.tensor(out, dtype=torch.float32)
        rewards = (rewards - rewards.mean()) / (rewards.std() + 1e-7)
        with torch.no_grad():
            old_logprobs, old_values, _ = self.policy_old.evaluate(states, actions)
        advantages = rewards.detach() - old_values.detach()
        for _ in range(3):
            logprobs, state_values, dist_entropy = self.policy.evaluate(states, actions)
            state_values = torch.squeeze(state_values)
            ratios = torch.exp(logprobs - old_logprobs.detach())
            surr1 = ratios * advantages
            surr2 = torch.clamp(ratios, 1 - 0.2, 1 + 0.2) * advantages
            loss = -torch.min(surr1, surr2) + 0.5 * self.MseLoss(state_values, rewards) - 0.01 * dist_entropy
            self.optimizer.zero_grad()
            loss.mean().backward()
            self.optimizer.step()
            record(loss.mean())
        self.policy_old.load_state_dict(self.policy.state_dict())


def main():
    agent = PPO()
    for s, a, r in zip(arrays(3, 5, 6), arrays(3, 5, classes=3), arrays(3, 5, seed=8)):
        agent.update(torch.from_numpy(s), torch.from_numpy(a), [float(v) for v in r])
    finish(agent.policy)
