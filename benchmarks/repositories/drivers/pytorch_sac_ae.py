import os
import numpy as np
import torch
import utils
from sac_ae import SacAeAgent
from probe import attempt, fill, keep, say


class Board:
    def log(self, key, value, step, n=1):
        say(f"{key} {step}", value.item() if type(value) == torch.Tensor else value)

    def log_histogram(self, key, values, step):
        say(f"{key} {step}", values.mean().item())

    def log_param(self, key, layer, step):
        say(f"{key} {step}", layer.weight.data.abs().mean().item())
        if hasattr(layer.weight, "grad") and layer.weight.grad is not None:
            say(f"{key} {step} g", layer.weight.grad.data.abs().mean().item())

    def log_image(self, key, image, step):
        pass


def agent_of(kind, shape, seed=5):
    agent = SacAeAgent(shape, (2,), torch.device("cpu"), hidden_dim=24, encoder_type=kind, decoder_type="pixel" if kind == "pixel" else "identity", encoder_feature_dim=8, num_layers=2, num_filters=4, decoder_latent_lambda=1e-3, decoder_weight_lambda=1e-4, init_temperature=0.1, actor_update_freq=2, critic_target_update_freq=2)
    fill(agent.critic, seed)
    fill(agent.actor, seed + 1)
    agent.critic_target.load_state_dict(agent.critic.state_dict())
    if agent.decoder is not None:
        fill(agent.decoder, seed + 2)
    return agent


def run(kind, shape):
    rng = np.random.RandomState(1)
    np.random.seed(3)
    agent = agent_of(kind, shape)
    buffer = utils.ReplayBuffer(shape, (2,), 12, 4, torch.device("cpu"))
    draw = (lambda: rng.randint(0, 255, size=shape).astype("uint8")) if kind == "pixel" else lambda: rng.randn(*shape)
    for i in range(15):
        buffer.add(draw(), rng.uniform(-1, 1, size=2), rng.randn(), draw(), i % 5 == 4)
    board = Board()
    for step in range(4):
        agent.update(buffer, board, step)
    with utils.eval_mode(agent.actor, agent.critic):
        say(f"{kind} act", *agent.select_action(draw()), *agent.sample_action(draw()))
    os.makedirs("made", exist_ok=True)
    agent.save("made", 4)
    buffer.save("made") if not buffer.full else None
    keep(f"{kind} actor", agent.actor)
    keep(f"{kind} critic", agent.critic)
    say(f"{kind} hash", utils.module_hash(agent.critic_target))
    other = agent_of(kind, shape, 9)
    other.load("made", 4)
    say(f"{kind} loaded", *other.select_action(draw()), other.critic.encoder is other.actor.encoder)


attempt("pixel", lambda: run("pixel", (3, 84, 84)))
attempt("identity", lambda: run("identity", (5,)))
