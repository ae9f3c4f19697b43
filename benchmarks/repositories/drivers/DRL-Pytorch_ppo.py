import numpy as np
from PPO import PPO_discrete

from probe import fill, keep, say


def main():
    agent = PPO_discrete(state_dim=4, action_dim=3, net_width=12, dvc="cpu", lr=3e-3, T_horizon=20, gamma=0.99, lambd=0.95, entropy_coef=0.01, entropy_coef_decay=0.99,
                         adv_normalization=True, K_epochs=2, batch_size=8, clip_rate=0.2, l2_reg=1e-3)
    fill(agent.actor, 1)
    fill(agent.critic, 2)
    r = np.random.RandomState(0)
    np.random.seed(0)
    for turn in range(2):
        state = r.randn(4).astype(np.float32)
        for i in range(agent.T_horizon):
            action, _ = agent.select_action(state, deterministic=True)
            later = (0.9 * state + 0.1 * r.randn(4)).astype(np.float32)
            done = i % 7 == 6
            agent.put_data(state, action, float(later[action]), later, 0.3 + 0.02 * i, done, done and i % 2 == 0, i)
            state = later
        agent.train()
        say(f"turn {turn}", agent.entropy_coef, *agent.a_hoder.flatten()[:5], *[p.detach().abs().sum() for p in agent.critic.parameters()])
    keep("actor", agent.actor)
    keep("critic", agent.critic)


main()
