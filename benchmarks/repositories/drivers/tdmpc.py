import sys
import tempfile
import types
import numpy as np
import torch
from algorithm.helper import Episode, ReplayBuffer
from algorithm.tdmpc import TDMPC
from probe import attempt, fill, keep, say


def run(name, modality):
    np.random.seed(2)
    pixels = modality == "pixels"
    cfg = types.SimpleNamespace(modality=modality, obs_shape=(6, 84, 84) if pixels else (5,), img_size=84, frame_stack=2, num_channels=4, enc_dim=8, mlp_dim=10, latent_dim=6, action_dim=2, device="cpu", episode_length=10, train_steps=40, max_buffer_size=100, discount=0.99, iterations=3, num_samples=12, num_elites=4, mixture_coef=0.25, min_std=0.05, temperature=0.5, momentum=0.1, batch_size=4 if pixels else 7, horizon=3, reward_coef=0.5, value_coef=0.1, consistency_coef=2, rho=0.5, lr=1e-3, std_schedule="linear(0.5, 0.05, 20)", horizon_schedule="linear(1, 3, 20)", per_alpha=0.6, per_beta=0.4, grad_clip_norm=10, seed_steps=0, update_freq=2, tau=0.1)
    agent = TDMPC(cfg)
    fill(agent.model, 1)
    agent.model_target.load_state_dict(agent.model.state_dict())
    buffer = ReplayBuffer(cfg)
    rng = np.random.RandomState(5)
    for _ in range(3):
        made = [rng.randint(0, 255, size=cfg.obs_shape).astype("uint8") if pixels else rng.randn(5).astype("float32") for _ in range(11)]
        episode = Episode(cfg, made[0])
        for t in range(10):
            episode += (made[t + 1], torch.from_numpy(rng.uniform(-1, 1, size=2).astype("float32")), float(rng.randn()), t == 9)
        say(name + " episode", episode.cumulative_reward, len(episode), episode.done)
        buffer += episode
    for step in range(3 if pixels else 6):
        found = agent.update(buffer, step)
        say(f"{name} step {step}", *found.values())
    for step, t0 in ((10, True), (15, False)):
        action = agent.plan(made[3].astype("float32"), eval_mode=True, step=step, t0=t0)
        say(f"{name} planned {step}", *action)
    path = tempfile.mktemp()
    agent.save(path)
    agent.load(path)
    keep(name, agent.model)
    keep(name + " target", agent.model_target)


attempt("state", lambda: run("state", "state"))
attempt("pixels", lambda: run("pixels", "pixels"))
