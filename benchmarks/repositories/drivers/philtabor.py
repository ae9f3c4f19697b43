import importlib
import os
import sys
import types
import numpy as np
import torch
from probe import attempt, fill, keep, say

env = types.SimpleNamespace(action_space=types.SimpleNamespace(high=np.array([1.0, 1.0], dtype="float32"), low=np.array([-1.0, -1.0], dtype="float32")))
os.makedirs("tmp", exist_ok=True)


def load(folder, *names):
    """The chapter's own modules, which have the same names in each chapter."""
    for name in ("buffer", "networks", "noise", "utils"):
        sys.modules.pop(name, None)
    sys.path.insert(0, folder)
    found = [importlib.import_module(name) for name in names]
    sys.path.remove(folder)
    return found


def nets(agent):
    return {name: net for name, net in vars(agent).items() if isinstance(net, torch.nn.Module)}


def prepared(agent):
    for i, net in enumerate(nets(agent).values()):
        fill(net, i)
    if hasattr(agent, "update_network_parameters"):
        agent.update_network_parameters(tau=1)


def off_policy(name, module, **options):
    np.random.seed(0)
    (module,) = load(name, module)
    agent = module.Agent(alpha=0.001, beta=0.002, input_dims=(3,), tau=0.1, n_actions=2, max_size=50, batch_size=6, **options)
    prepared(agent)
    state = np.ones(3) * 0.1
    for step in range(14):
        action = np.asarray(agent.choose_action(state))
        new = np.tanh(state + action.mean() * 0.3 + 0.05 * step)
        agent.remember(state, action, float(-np.abs(new).sum()), new, step % 5 == 4)
        agent.learn()
        state = new
        say(f"{name} {step}", *action)
    for key, net in nets(agent).items():
        keep(f"{name}-{key}", net)
        os.makedirs(os.path.dirname(net.checkpoint_file) or ".", exist_ok=True)
    agent.save_models()
    before = sum(p.sum().item() for net in nets(agent).values() for p in net.parameters())
    prepared(agent)
    agent.load_models()
    say(f"{name} sums", before, sum(p.sum().item() for net in nets(agent).values() for p in net.parameters()))


def reinforce():
    (module,) = load("Reinforce", "reinforce_torch")
    agent = module.PolicyGradientAgent(gamma=0.99, lr=0.005, input_dims=[3], n_actions=4)
    prepared(agent)
    for episode in range(3):
        for step in range(4):
            say(f"action {episode} {step}", agent.choose_action(np.array([0.1 * step, 0.2, episode])))
            agent.store_rewards(step - 1.5 + episode)
        agent.learn()
    keep("reinforce", agent.policy)


def actor_critic():
    (module,) = load("ActorCritic", "actor_critic_torch")
    agent = module.Agent(gamma=0.99, lr=0.005, input_dims=[3], n_actions=4, fc1_dims=8, fc2_dims=8)
    prepared(agent)
    state = np.array([0.1, -0.2, 0.3])
    for step in range(6):
        say(f"chosen {step}", agent.choose_action(state))
        new = np.tanh(state * 1.3 + 0.1)
        agent.learn(state, 0.5 * step - 1, new, step == 5)
        state = new
    keep("actor_critic", agent.actor_critic)


attempt("reinforce", reinforce)
attempt("actor_critic", actor_critic)
attempt("ddpg", lambda: off_policy("DDPG", "ddpg_torch", fc1_dims=8, fc2_dims=6))
attempt("td3", lambda: off_policy("TD3", "td3_torch", env=env, layer1_size=8, layer2_size=6, warmup=3))
attempt("sac", lambda: off_policy("SAC", "sac_torch", env=env, env_id="made", layer1_size=8, layer2_size=6))
