"""Deep Q-learning with a replay buffer and a target network on a small grid world."""
import argparse
import math
import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward", "done"))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class GridWorld:
    """Reach the goal in the corner; a step costs a little, the wall a little more."""

    def __init__(self, size=5, max_steps=30, seed=0):
        self.size, self.max_steps = size, max_steps
        self.rng = np.random.RandomState(seed)
        self.n_actions, self.n_observations = 4, 4

    def reset(self):
        self.pos = self.rng.randint(0, self.size - 1, 2)
        self.t = 0
        return self._obs()

    def _obs(self):
        goal = np.array([self.size - 1, self.size - 1])
        return np.concatenate([self.pos, goal - self.pos]).astype(np.float32) / self.size

    def step(self, action):
        move = np.array([(0, 1), (0, -1), (1, 0), (-1, 0)])[action]
        target = self.pos + move
        inside = (target >= 0).all() and (target < self.size).all()
        if inside:
            self.pos = target
        self.t += 1
        reached = bool((self.pos == self.size - 1).all())
        reward = 1.0 if reached else (-0.02 if inside else -0.05)
        return self._obs(), reward, reached or self.t >= self.max_steps, {}


class ReplayMemory(object):
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        """Save a transition"""
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self, n_observations, n_actions):
        super(DQN, self).__init__()
        self.layer1 = nn.Linear(n_observations, 64)
        self.layer2 = nn.Linear(64, 64)
        self.layer3 = nn.Linear(64, n_actions)

    # Called with either one element to determine next action, or a batch during optimization.
    def forward(self, x):
        x = F.relu(self.layer1(x))
        x = F.relu(self.layer2(x))
        return self.layer3(x)


class Agent:
    def __init__(self, env, args):
        self.args = args
        self.env = env
        self.policy_net = DQN(env.n_observations, env.n_actions).to(device)
        self.target_net = DQN(env.n_observations, env.n_actions).to(device)
        self.target_net.load_state_dict(self.policy_net.state_dict())
        self.target_net.eval()
        self.optimizer = optim.AdamW(self.policy_net.parameters(), lr=args.lr, amsgrad=True)
        self.memory = ReplayMemory(2000)
        self.steps_done = 0

    def select_action(self, state):
        sample = random.random()
        eps_threshold = 0.05 + 0.85 * math.exp(-1.0 * self.steps_done / 150)
        self.steps_done += 1
        if sample > eps_threshold:
            with torch.no_grad():
                # the second column of max is the index where the largest element was found
                return self.policy_net(state).max(1).indices.view(1, 1)
        return torch.tensor([[random.randrange(self.env.n_actions)]], device=device, dtype=torch.long)

    def optimize_model(self):
        if len(self.memory) < self.args.batch_size:
            return None
        transitions = self.memory.sample(self.args.batch_size)
        batch = Transition(*zip(*transitions))
        non_final_mask = torch.tensor(tuple(map(lambda s: s is not None, batch.next_state)), device=device, dtype=torch.bool)
        non_final_next_states = torch.cat([s for s in batch.next_state if s is not None])
        state_batch = torch.cat(batch.state)
        action_batch = torch.cat(batch.action)
        reward_batch = torch.cat(batch.reward)

        # Q(s_t, a) of the actions taken
        state_action_values = self.policy_net(state_batch).gather(1, action_batch)
        # V(s_{t+1}) for all next states, 0 where the episode ended
        next_state_values = torch.zeros(self.args.batch_size, device=device)
        with torch.no_grad():
            next_state_values[non_final_mask] = self.target_net(non_final_next_states).max(1).values
        expected_state_action_values = (next_state_values * self.args.gamma) + reward_batch

        criterion = nn.SmoothL1Loss()
        loss = criterion(state_action_values, expected_state_action_values.unsqueeze(1))
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(self.policy_net.parameters(), 100)
        self.optimizer.step()
        return loss.item()

    def soft_update(self):
        target_net_state_dict = self.target_net.state_dict()
        policy_net_state_dict = self.policy_net.state_dict()
        for key in policy_net_state_dict:
            target_net_state_dict[key] = policy_net_state_dict[key] * self.args.tau + target_net_state_dict[key] * (1 - self.args.tau)
        self.target_net.load_state_dict(target_net_state_dict)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=25)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--gamma", type=float, default=0.95)
    parser.add_argument("--tau", type=float, default=0.05)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)

    env = GridWorld(seed=args.seed)
    agent = Agent(env, args)
    returns = []
    for i_episode in range(args.episodes):
        state = torch.tensor(env.reset(), dtype=torch.float32, device=device).unsqueeze(0)
        total, losses = 0.0, []
        while True:
            action = agent.select_action(state)
            observation, reward, done, _ = env.step(action.item())
            total += reward
            reward = torch.tensor([reward], dtype=torch.float32, device=device)
            next_state = None if done else torch.tensor(observation, dtype=torch.float32, device=device).unsqueeze(0)
            agent.memory.push(state, action, next_state, reward, done)
            state = next_state
            loss = agent.optimize_model()
            if loss is not None:
                losses.append(loss)
                agent.soft_update()
            if done:
                break
        returns.append(total)
        print(f"episode {i_episode}: return {total:.2f}, loss {np.mean(losses) if losses else 0:.4f}")
    print(f"mean return of the last ten={np.mean(returns[-10:]):.4f}")


if __name__ == "__main__":
    main()
