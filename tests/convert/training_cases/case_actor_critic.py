"""One loss from many steps of an episode, and a critic with an optimizer of its own."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def update(actor, critic, actor_opt, critic_opt, states, actions, rewards):
    values = critic(states).squeeze(1)
    critic_loss = F.mse_loss(values, rewards)
    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()

    advantages = rewards - values.detach()
    log_probs = F.log_softmax(actor(states), dim=1).gather(1, actions.unsqueeze(1)).squeeze(1)
    actor_loss = -(log_probs * advantages).mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()
    return actor_loss.item(), critic_loss.item()


def main():
    actor, critic = Net(), Net(6, 8, 1)
    start(actor)
    start(critic, 1)
    actor_opt = torch.optim.Adam(actor.parameters(), lr=0.01)
    critic_opt = torch.optim.Adam(critic.parameters(), lr=0.01)
    for s, a, r in zip(arrays(8, 5, 6), arrays(8, 5, classes=3), arrays(8, 5, seed=7)):
        record(*update(actor, critic, actor_opt, critic_opt, torch.from_numpy(s), torch.from_numpy(a), torch.from_numpy(r)))
    finish(actor, critic)
