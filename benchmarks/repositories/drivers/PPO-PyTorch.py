import numpy as np
import torch
from PPO import PPO
from probe import attempt, fill, keep, say


def run(name, continuous, actions):
    agent = PPO(4, actions, 3e-4, 1e-3, 0.99, 4, 0.2, continuous, 0.6)
    fill(agent.policy)
    agent.policy_old.load_state_dict(agent.policy.state_dict())
    rng = np.random.RandomState(2)
    state = rng.randn(4)
    for step in range(1, 49):
        action = agent.select_action(state)
        state = rng.randn(4)
        agent.buffer.rewards.append(float(state[0] - np.sum(action)))
        agent.buffer.is_terminals.append(step % 7 == 0)
        if step % 16 == 0:
            agent.update()
            agent.decay_action_std(0.05, 0.1)
            with torch.no_grad():
                say("%s %d" % (name, step), sum(p.abs().sum().item() for p in agent.policy.parameters()), agent.policy.critic(torch.ones(1, 4)).item())
    agent.save(name + ".pth")
    agent.load(name + ".pth")
    keep(name, agent.policy)


attempt("discrete", lambda: run("discrete", False, 3))
attempt("continuous", lambda: run("continuous", True, 2))
attempt("one", lambda: run("one", True, 1))
