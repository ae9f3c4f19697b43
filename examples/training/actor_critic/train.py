"""Actor and critic with an optimizer each, on a cart that is to be held in the middle (soft actor-critic's shape, discrete)."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical


class Cart:
    """Position and velocity; push left, right or not at all."""

    def __init__(self, n=16, seed=0):
        self.n = n
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.x = self.rng.uniform(-1, 1, (self.n, 2)).astype(np.float32)
        return self.x.copy()

    def step(self, action):
        push = (action.astype(np.float32) - 1.0) * 0.1
        self.x[:, 1] = 0.95 * self.x[:, 1] + push
        self.x[:, 0] += self.x[:, 1] * 0.2
        reward = 1.0 - np.abs(self.x[:, 0]) - 0.1 * np.abs(self.x[:, 1])
        return self.x.copy(), reward.astype(np.float32)


class Actor(nn.Module):
    def __init__(self, state_dim, hidden, n_actions):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(state_dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, n_actions))
        self.net[-1].weight.data.mul_(0.01)

    def forward(self, state):
        return Categorical(logits=self.net(state))


class Critic(nn.Module):
    def __init__(self, state_dim, hidden):
        super().__init__()
        self.l1 = nn.Linear(state_dim, hidden)
        self.l2 = nn.Linear(hidden, hidden)
        self.v = nn.Linear(hidden, 1)

    def forward(self, state):
        x = F.relu(self.l1(state))
        x = F.relu(self.l2(x))
        return self.v(x).squeeze(-1)


class A2C:
    def __init__(self, state_dim, n_actions, args):
        self.actor = Actor(state_dim, args.hidden, n_actions)
        self.critic = Critic(state_dim, args.hidden)
        self.actor_optimizer = optim.Adam(self.actor.parameters(), lr=args.actor_lr)
        self.critic_optimizer = optim.RMSprop(self.critic.parameters(), lr=args.critic_lr)
        self.gamma, self.lmbda, self.ent_coef = args.gamma, args.lmbda, args.ent_coef

    @torch.no_grad()
    def act(self, state):
        dist = self.actor(torch.as_tensor(state))
        return dist.sample().numpy()

    def advantages(self, rewards, values, last_value):
        gae, returns = torch.zeros_like(last_value), []
        values = torch.cat([values, last_value.unsqueeze(0)])
        for t in reversed(range(len(rewards))):
            delta = rewards[t] + self.gamma * values[t + 1] - values[t]
            gae = delta + self.gamma * self.lmbda * gae
            returns.insert(0, gae + values[t])
        return torch.stack(returns)

    def update(self, states, actions, rewards, last_state):
        states = torch.from_numpy(np.stack(states))
        actions = torch.from_numpy(np.stack(actions)).long()
        rewards = torch.from_numpy(np.stack(rewards))
        with torch.no_grad():
            last_value = self.critic(torch.from_numpy(last_state))
        values = self.critic(states)
        returns = self.advantages(rewards, values.detach(), last_value)
        advantage = returns - values

        dist = self.actor(states)
        log_probs = dist.log_prob(actions)
        entropy = dist.entropy().mean()
        actor_loss = -(log_probs * advantage.detach()).mean() - self.ent_coef * entropy
        critic_loss = advantage.pow(2).mean()

        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        nn.utils.clip_grad_norm_(self.actor.parameters(), 0.5)
        self.actor_optimizer.step()

        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        nn.utils.clip_grad_norm_(self.critic.parameters(), 0.5)
        self.critic_optimizer.step()
        return actor_loss.item(), critic_loss.item(), entropy.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--rollout", type=int, default=6)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--actor-lr", type=float, default=3e-3)
    parser.add_argument("--critic-lr", type=float, default=3e-3)
    parser.add_argument("--gamma", type=float, default=0.95)
    parser.add_argument("--lmbda", type=float, default=0.9)
    parser.add_argument("--ent-coef", type=float, default=0.01)
    args = parser.parse_args()
    torch.manual_seed(1)
    np.random.seed(1)

    env = Cart()
    agent = A2C(2, 3, args)
    state = env.reset()
    mean_reward = 0.0
    for update in range(args.updates):
        if update % 10 == 0:
            state = env.reset()
        states, actions, rewards = [], [], []
        for _ in range(args.rollout):
            action = agent.act(state)
            next_state, reward = env.step(action)
            states.append(state)
            actions.append(action)
            rewards.append(reward)
            state = next_state
        actor_loss, critic_loss, entropy = agent.update(states, actions, rewards, state)
        mean_reward = float(np.mean(rewards))
        if update % 10 == 9:
            print(f"update {update + 1}: actor {actor_loss:.4f} critic {critic_loss:.4f} entropy {entropy:.4f} mean reward {mean_reward:.4f}")


if __name__ == "__main__":
    main()
