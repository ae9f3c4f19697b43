import sys
import types
import numpy as np
import torch

omegaconf = types.ModuleType("omegaconf")
omegaconf.OmegaConf = None
sys.modules["omegaconf"] = omegaconf

import utils
from drqv2 import DrQV2Agent
from probe import attempt, fill, keep, say


def batches():
    rng = np.random.RandomState(3)
    while True:
        yield (rng.randint(0, 255, size=(4, 9, 24, 24)).astype("uint8"), rng.uniform(-1, 1, size=(4, 2)).astype("float32"), rng.randn(4, 1).astype("float32"), np.full((4, 1), 0.97, "float32"), rng.randint(0, 255, size=(4, 9, 24, 24)).astype("uint8"))


def run():
    utils.set_seed_everywhere(1)
    agent = DrQV2Agent((9, 24, 24), (2,), torch.device("cpu"), 1e-3, 12, 16, 0.01, 0, 2, "linear(1e-9,2e-9,100)", 0.3, True)
    for i, net in enumerate((agent.encoder, agent.actor, agent.critic)):
        fill(net, i)
    agent.critic_target.load_state_dict(agent.critic.state_dict())
    given = batches()
    for step in range(8):
        found = agent.update(given, step)
        found.pop("actor_logprob", None)
        found.pop("actor_ent", None)
        say(f"step {step}", *found.values())
    with torch.no_grad(), utils.eval_mode(agent):
        obs = np.random.RandomState(8).randint(0, 255, size=(9, 24, 24)).astype("uint8")
        say("acted", *agent.act(obs, 5, eval_mode=True), *agent.act(obs, 9, eval_mode=False), agent.training)
    for key in ("encoder", "actor", "critic", "critic_target"):
        keep(key, getattr(agent, key))
    say("schedules", utils.schedule("1.5", 3), utils.schedule("step_linear(1,0.5,10,0.1,5)", 12))


attempt("train", run)
