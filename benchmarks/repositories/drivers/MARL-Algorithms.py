import types
import numpy as np
import torch
from common import arguments
from policy.central_v import CentralV
from policy.coma import COMA
from policy.iql import IQL
from policy.maven import MAVEN
from policy.qmix import QMIX
from policy.qtran_alt import QtranAlt
from policy.qtran_base import QtranBase
from policy.reinforce import Reinforce
from policy.vdn import VDN
from probe import attempt, fill, keep, say

EPISODES, LENGTH, AGENTS, ACTIONS, OBS, STATE = 3, 5, 3, 4, 6, 8


def batch(seed, noise):
    rng = np.random.RandomState(seed)
    u = rng.randint(0, ACTIONS, (EPISODES, LENGTH, AGENTS, 1))
    made = {"o": rng.randn(EPISODES, LENGTH, AGENTS, OBS), "o_next": rng.randn(EPISODES, LENGTH, AGENTS, OBS), "s": rng.randn(EPISODES, LENGTH, STATE), "s_next": rng.randn(EPISODES, LENGTH, STATE)}
    made.update({"u": u, "u_onehot": np.eye(ACTIONS)[u[..., 0]], "r": rng.randn(EPISODES, LENGTH, 1)})
    made.update({"avail_u": np.ones((EPISODES, LENGTH, AGENTS, ACTIONS)), "avail_u_next": (rng.rand(EPISODES, LENGTH, AGENTS, ACTIONS) > 0.2).astype(float)})
    made["avail_u_next"][..., 0] = 1
    made["avail_u"][:, :, :, 2] = (u[..., 0] == 2)
    made["padded"] = np.zeros((EPISODES, LENGTH, 1))
    made["padded"][1, 3:] = 1
    made["terminated"] = made["padded"].copy()
    made["terminated"][:, -1] = 1
    if noise:
        made["z"] = np.eye(noise)[rng.randint(0, noise, EPISODES)]
    return made


def run(alg, make, more):
    args = types.SimpleNamespace(n_actions=ACTIONS, n_agents=AGENTS, state_shape=STATE, obs_shape=OBS, episode_limit=LENGTH, last_action=True, reuse_network=True, gamma=0.99, optimizer="RMS", cuda=False, model_dir="./model", load_model=False, map="3m", alg=alg)
    for add in more:
        args = add(args)
    args.target_update_cycle, args.noise_dim = 2, 4
    policy = make(args)
    nets = [(n, m) for n, m in sorted(vars(policy).items()) if isinstance(m, torch.nn.Module)]
    for i, (_, net) in enumerate(nets):
        fill(net, i)
    for step in range(3):
        policy.learn(batch(step, 4 if alg == "maven" else 0), LENGTH, step, 0.3)
        say("%s %d" % (alg, step), *[sum(p.abs().sum().item() for p in net.parameters()) for _, net in nets])
    policy.save_model(0)
    for name, net in nets:
        keep("%s-%s" % (alg.replace("+", "-"), name), net)


MIXER = (arguments.get_mixer_args,)
attempt("vdn", lambda: run("vdn", VDN, MIXER))
attempt("iql", lambda: run("iql", IQL, MIXER))
attempt("qmix", lambda: run("qmix", QMIX, MIXER))
attempt("qtran_base", lambda: run("qtran_base", QtranBase, MIXER))
attempt("qtran_alt", lambda: run("qtran_alt", QtranAlt, MIXER))
attempt("maven", lambda: run("maven", MAVEN, MIXER))
attempt("coma", lambda: run("coma", COMA, (arguments.get_coma_args,)))
attempt("central_v", lambda: run("central_v", CentralV, (arguments.get_centralv_args,)))
attempt("reinforce", lambda: run("reinforce", Reinforce, (arguments.get_reinforce_args,)))
attempt("reinforce+commnet", lambda: run("reinforce+commnet", Reinforce, (arguments.get_reinforce_args, arguments.get_commnet_args)))
