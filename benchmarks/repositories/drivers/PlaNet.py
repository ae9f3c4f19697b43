import numpy as np
import torch
from memory import ExperienceReplay
from models import Encoder, ObservationModel, RewardModel, TransitionModel, bottle
from planner import MPCPlanner
from probe import array, attempt, fill, keep, say
from torch import nn, optim
from torch.distributions import Normal
from torch.distributions.kl import kl_divergence
from torch.nn import functional as F

belief, state, action, hidden, embedding, batch, chunk = 8, 4, 2, 8, 12, 3, 5


def run(name, symbolic):
    size = embedding if symbolic else 1024
    transition = TransitionModel(belief, state, action, hidden, size, "relu")
    observation = ObservationModel(symbolic, 6, belief, state, size, "relu")
    reward = RewardModel(belief, state, hidden, "relu")
    encoder = Encoder(symbolic, 6, size, "relu")
    models = transition, observation, reward, encoder
    for i, model in enumerate(models):
        fill(model, i)
    params = [p for model in models for p in model.parameters()]
    optimiser = optim.Adam(params, lr=1e-3, eps=1e-4)
    planner = MPCPlanner(action, 4, 3, 10, 3, transition, reward, -1.0, 1.0)
    np.random.seed(0)
    D = ExperienceReplay(40, symbolic, 6, action, 5, torch.device("cpu"))
    for t in range(25):
        D.append(array(t, 1, 6) if symbolic else torch.tanh(array(t, 1, 3, 64, 64)) / 2, array(t + 50, action), float(t % 3), t % 10 == 9)
    global_prior = Normal(torch.zeros(batch, state), torch.ones(batch, state))
    free_nats = torch.full((1,), 0.1, dtype=torch.float32)
    for step in range(2):
        observations, actions, rewards, nonterminals = D.sample(batch, chunk)
        init_belief, init_state = torch.zeros(batch, belief), torch.zeros(batch, state)
        beliefs, prior_states, prior_means, prior_stds, posterior_states, posterior_means, posterior_stds = transition(init_state, actions[:-1], init_belief, bottle(encoder, (observations[1:],)), nonterminals[:-1])
        observation_loss = F.mse_loss(bottle(observation, (beliefs, posterior_states)), observations[1:], reduction="none").sum(dim=2 if symbolic else (2, 3, 4)).mean(dim=(0, 1))
        reward_loss = F.mse_loss(bottle(reward, (beliefs, posterior_states)), rewards[:-1], reduction="none").mean(dim=(0, 1))
        kl_loss = torch.max(kl_divergence(Normal(posterior_means, posterior_stds), Normal(prior_means, prior_stds)).sum(dim=2), free_nats).mean(dim=(0, 1))
        kl_loss += 0.5 * kl_divergence(Normal(posterior_means, posterior_stds), global_prior).sum(dim=2).mean(dim=(0, 1))
        optimiser.zero_grad()
        (observation_loss + reward_loss + kl_loss).backward()
        nn.utils.clip_grad_norm_(params, 1000, norm_type=2)
        optimiser.step()
        say("%s %d" % (name, step), observation_loss.item(), reward_loss.item(), kl_loss.item())
    with torch.no_grad():
        plan = planner(torch.zeros(2, belief), torch.ones(2, state))
        say(name + " plan", *plan.reshape(-1).tolist())
    keep(name, transition)


attempt("symbolic", lambda: run("symbolic", True))
attempt("visual", lambda: run("visual", False))
