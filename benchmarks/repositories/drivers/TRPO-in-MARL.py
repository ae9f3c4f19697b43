import argparse
import types
import numpy as np
import torch
from algorithms.happo_policy import HAPPO_Policy
from algorithms.happo_trainer import HAPPO
from algorithms.hatrpo_policy import HATRPO_Policy
from algorithms.hatrpo_trainer import HATRPO
from utils.separated_buffer import SeparatedReplayBuffer
from probe import attempt, fill, keep, say


class Box:
    shape = (6,)


class Force(Box):
    def __init__(self):
        self.shape = (2,)


class Discrete:
    n = 4


Force.__name__ = "Box"


def options(**changes):
    args = dict(episode_length=8, n_rollout_threads=4, hidden_size=8, layer_N=1, recurrent_N=1, gamma=0.99, gae_lambda=0.95, use_gae=True, use_popart=True, use_valuenorm=False, use_proper_time_limits=True, lr=5e-4, critic_lr=5e-4, opti_eps=1e-5, weight_decay=0, gain=0.01, use_orthogonal=True, use_policy_active_masks=True, use_naive_recurrent_policy=False, use_recurrent_policy=False, use_feature_normalization=True, use_ReLU=True, stacked_frames=1, clip_param=0.2, ppo_epoch=3, num_mini_batch=1, data_chunk_length=4, value_loss_coef=1.0, entropy_coef=0.01, max_grad_norm=10.0, huber_delta=10.0, kl_threshold=0.01, ls_step=10, accept_ratio=0.5, use_max_grad_norm=True, use_clipped_value_loss=True, use_huber_loss=True, use_value_active_masks=True, std_x_coef=1.0, std_y_coef=0.5, algorithm_name="happo")
    args.update(changes)
    return argparse.Namespace(**args)


def played(args, policy, buffer, act, seed):
    """A made-up game of eight steps, played by the mode of the policy."""
    rng = np.random.RandomState(seed)
    buffer.obs[:], buffer.share_obs[:] = rng.randn(*buffer.obs.shape), rng.randn(*buffer.share_obs.shape)
    for step in range(args.episode_length):
        with torch.no_grad():
            value, action, log_prob, rnn, rnn_critic = policy.get_actions(buffer.share_obs[step], buffer.obs[step], buffer.rnn_states[step], buffer.rnn_states_critic[step], buffer.masks[step], None if buffer.available_actions is None else buffer.available_actions[step], deterministic=True)
        ended = (rng.rand(args.n_rollout_threads, 1) < 0.2).astype("float32")
        available = None
        if act.__class__.__name__ == "Discrete":
            available = np.ones((args.n_rollout_threads, act.n), "float32")
            available[:, step % 3] = 0
        if available is None:
            action = action + 0.3 * torch.cos(torch.arange(action.numel()).float() + step).view(action.shape)
        buffer.insert(buffer.share_obs[step + 1], buffer.obs[step + 1], rnn.numpy(), rnn_critic.numpy(), action.numpy(), log_prob.numpy() - 0.1, value.numpy(), rng.randn(args.n_rollout_threads, 1), 1 - ended, np.ones_like(ended), 1 - ended * (step % 2), available)


def run(name, act, **changes):
    args = options(**changes)
    kind, trainer = (HATRPO_Policy, HATRPO) if args.algorithm_name == "hatrpo" else (HAPPO_Policy, HAPPO)
    policy = kind(args, Box(), Box(), act)
    fill(policy.actor, 1)
    fill(policy.critic, 2)
    trainer = trainer(args, policy)
    buffer = SeparatedReplayBuffer(args, Box(), Box(), act)
    for update in range(2):
        policy.lr_decay(update, 5)
        trainer.prep_rollout()
        played(args, policy, buffer, act, update)
        with torch.no_grad():
            buffer.compute_returns(policy.get_values(buffer.share_obs[-1], buffer.rnn_states_critic[-1], buffer.masks[-1]).numpy(), trainer.value_normalizer)
        buffer.update_factor(np.ones((args.episode_length, args.n_rollout_threads, 1), "float32"))
        trainer.prep_training()
        found = trainer.train(buffer)
        say(f"{name} {update}", buffer.returns.sum(), *(float(np.asarray(v.detach() if torch.is_tensor(v) else v).reshape(-1)[0]) for v in found.values()))
        buffer.after_update()
    keep(name + "-actor", policy.actor)
    keep(name + "-critic", policy.critic)


attempt("happo", lambda: run("happo", Force()))
attempt("happo discrete", lambda: run("happo-discrete", Discrete(), use_recurrent_policy=True, use_popart=False))
attempt("hatrpo", lambda: run("hatrpo", Force(), algorithm_name="hatrpo"))
attempt("hatrpo discrete", lambda: run("hatrpo-discrete", Discrete(), algorithm_name="hatrpo", use_popart=False, use_proper_time_limits=False))
