import numpy as np
import torch
from TD7 import Agent, Hyperparameters
from probe import attempt, fill, keep, say


def run(name, offline, policy_noise):
    hp = Hyperparameters(batch_size=16, buffer_size=64, target_update_rate=3, target_policy_noise=policy_noise, exploration_noise=0.0, zs_dim=8, enc_hdim=12, critic_hdim=12, actor_hdim=12, steps_before_checkpointing=4)
    agent = Agent(5, 2, 2.0, offline=offline, hp=hp)
    nets = [agent.actor, agent.critic, agent.encoder]
    for i, net in enumerate(nets):
        fill(net, i)
    for target, source in ((agent.actor_target, agent.actor), (agent.critic_target, agent.critic), (agent.fixed_encoder, agent.encoder), (agent.fixed_encoder_target, agent.encoder), (agent.checkpoint_actor, agent.actor), (agent.checkpoint_encoder, agent.encoder)):
        target.load_state_dict(source.state_dict())
    rng = np.random.RandomState(0)
    np.random.seed(0)
    if offline:
        agent.replay_buffer.load_D4RL({k: rng.randn(40, n) for k, n in (("observations", 5), ("actions", 2), ("next_observations", 5))} | {"rewards": rng.randn(40), "terminals": rng.rand(40) > 0.9})
    else:
        for i in range(40):
            agent.replay_buffer.add(rng.randn(5), rng.uniform(-2, 2, 2), rng.randn(5), rng.randn(), float(rng.rand() > 0.9))
    for step in range(4):
        agent.train()
        say("%s %d" % (name, step), agent.max, agent.min, agent.max_target, agent.min_target, agent.replay_buffer.max_priority, agent.replay_buffer.priority.sum().item())
    for episode in range(3):
        agent.maybe_train_and_checkpoint(1 + episode, float(rng.randn()))
        say("%s episode %d" % (name, episode), agent.training_steps, agent.min_return, agent.best_min_return, agent.max_eps_before_update, agent.replay_buffer.priority.sum().item())
    state = rng.randn(5)
    say(name + " action", *agent.select_action(state), *agent.select_action(state, use_checkpoint=True, use_exploration=False))
    for key, net in (("actor", agent.actor), ("critic", agent.critic), ("encoder", agent.encoder), ("target", agent.critic_target), ("fixed", agent.fixed_encoder), ("checkpoint", agent.checkpoint_actor)):
        keep(name + "-" + key, net)


attempt("online", lambda: run("online", False, 0.2))
attempt("offline", lambda: run("offline", True, 0.0))
