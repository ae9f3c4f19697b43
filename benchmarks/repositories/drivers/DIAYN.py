import numpy as np
import torch
from Brain import SACAgent
from probe import attempt, fill, keep, say


def run():
    agent = SACAgent(p_z=np.full(3, 1 / 3), n_states=4, n_skills=3, batch_size=6, mem_size=50, seed=1, n_actions=2, action_bounds=[-1.0, 1.0], n_hiddens=8, lr=1e-3, alpha=0.1, reward_scale=1.0, gamma=0.99, tau=0.05)
    nets = ["policy_network", "q_value_network1", "q_value_network2", "value_network", "discriminator"]
    for i, net in enumerate(nets):
        fill(getattr(agent, net), i)
    agent.hard_update_target_network()
    rng = np.random.RandomState(0)
    say("nothing", agent.train() is None)
    for step in range(9):
        z = step % 3
        state = np.concatenate([rng.randn(4), np.eye(3)[z]])
        action = agent.choose_action(state)
        following = np.concatenate([rng.randn(4), np.eye(3)[z]])
        agent.store(state, z, step == 4, action, following)
        loss = agent.train()
        say(f"step {step}", *action, 0 if loss is None else loss)
    agent.set_policy_net_to_cpu_mode()
    agent.set_policy_net_to_eval_mode()
    say("act", *agent.choose_action(np.ones(7)))
    for net in [*nets, "value_target_network"]:
        keep(net, getattr(agent, net))


attempt("run", run)
