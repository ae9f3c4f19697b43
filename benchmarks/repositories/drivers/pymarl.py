import tempfile
import types
import numpy as np
import torch
from components.episode_buffer import ReplayBuffer, EpisodeBatch
from components.transforms import OneHot
from controllers.basic_controller import BasicMAC
from learners.coma_learner import COMALearner
from learners.q_learner import QLearner
from learners.qtran_learner import QLearner as QTran
from probe import attempt, fill, keep, say


class Log:
    console_logger = types.SimpleNamespace(info=print)

    def log_stat(self, key, value, t):
        say(f"{key} {t}", value)


def filled(scheme, groups, preprocess):
    rng = np.random.RandomState(3)
    buffer = ReplayBuffer(scheme, groups, 6, 6, preprocess=preprocess, device="cpu")
    for episode in range(3):
        batch = EpisodeBatch(scheme, groups, 2, 6, preprocess=preprocess, device="cpu")
        for t in range(6):
            avail = (rng.rand(2, 3, 4) > 0.3).astype(int)
            avail[..., 0] = 1
            batch.update({"state": rng.randn(2, 5).tolist(), "avail_actions": avail.tolist(), "obs": rng.randn(2, 3, 6).tolist()}, ts=t)
            batch.update({"actions": (rng.rand(2, 3, 1) * avail.sum(-1, keepdims=True)).astype(int).tolist(), "reward": rng.randn(2, 1).tolist(), "terminated": [(t == 4,), (t == 3,)]}, ts=t, mark_filled=False)
        buffer.insert_episode_batch(batch)
    return buffer


def run(name, kind, **options):
    np.random.seed(4)
    args = types.SimpleNamespace(n_agents=3, n_actions=4, state_shape=5, mixing_embed_dim=6, hypernet_layers=2, hypernet_embed=7, rnn_hidden_dim=8, agent="rnn", agent_output_type="q", action_selector="epsilon_greedy", epsilon_start=0.5, epsilon_finish=0.05, epsilon_anneal_time=50, obs_last_action=True, obs_agent_id=True, mixer="qmix", lr=5e-4, critic_lr=5e-4, optim_alpha=0.99, optim_eps=1e-3, double_q=True, gamma=0.99, td_lambda=0.8, grad_norm_clip=10, target_update_interval=2, learner_log_interval=1, qtran_arch="qtran_paper", network_size="small", opt_loss=1, nopt_min_loss=0.1, mask_before_softmax=True)
    vars(args).update(options)
    scheme = {"state": {"vshape": 5}, "obs": {"vshape": 6, "group": "agents"}, "actions": {"vshape": (1,), "group": "agents", "dtype": torch.long}, "avail_actions": {"vshape": (4,), "group": "agents", "dtype": torch.int}, "reward": {"vshape": (1,)}, "terminated": {"vshape": (1,), "dtype": torch.uint8}}
    groups, preprocess = {"agents": 3}, {"actions": ("actions_onehot", [OneHot(out_dim=4)])}
    buffer = filled(scheme, groups, preprocess)
    mac = BasicMAC(buffer.scheme, groups, args)
    learner = kind(mac, buffer.scheme, Log(), args)
    fill(mac.agent, 1)
    for i, part in enumerate(("mixer", "critic")):
        if getattr(learner, part, None) is not None:
            fill(getattr(learner, part), 2 + i)
    learner._update_targets()
    for episode in range(4):
        batch = buffer.sample(4)
        batch = batch[:, :batch.max_t_filled()]
        learner.train(batch, 2 * episode, episode)
    folder = tempfile.mkdtemp()
    learner.save_models(folder)
    learner.load_models(folder)
    keep(name, mac.agent)
    mac.init_hidden(2)
    say(name + " acted", *mac.select_actions(buffer.sample(2), 0, 5, test_mode=True).flatten().tolist())


attempt("qmix", lambda: run("qmix", QLearner))
attempt("vdn", lambda: run("vdn", QLearner, mixer="vdn", double_q=False))
attempt("coma", lambda: run("coma", COMALearner, agent_output_type="pi_logits", action_selector="multinomial", obs_last_action=False))
attempt("qtran", lambda: run("qtran", QTran, mixer="qtran_base"))
