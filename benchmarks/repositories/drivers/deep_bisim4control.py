import os
import random
import numpy as np
import torch
import utils
from agent.baseline_agent import BaselineAgent
from agent.bisim_agent import BisimAgent
from agent.deepmdp_agent import DeepMDPAgent
from probe import attempt, fill, keep, say


class Board:
    def __init__(self, name):
        self.name = name

    def log(self, key, value, step, n=1):
        say(f"{self.name} {key} {step}", value.item() if type(value) == torch.Tensor else value)

    def log_histogram(self, key, values, step):
        say(f"{self.name} {key} {step}", values.mean().item())

    def log_param(self, key, layer, step):
        say(f"{self.name} {key} {step}", layer.weight.data.abs().mean().item())
        if hasattr(layer.weight, "grad") and layer.weight.grad is not None:
            say(f"{self.name} {key} {step} g", layer.weight.grad.data.abs().mean().item())

    def log_image(self, key, image, step):
        pass


def run(name, kind, shape, **options):
    rng = np.random.RandomState(1)
    np.random.seed(3)
    random.seed(3)
    agent = kind(shape, (2,), torch.device("cpu"), hidden_dim=16, encoder_feature_dim=6, num_layers=2, num_filters=3, init_temperature=0.1, **options)
    fill(agent.critic, 5)
    fill(agent.actor, 6)
    agent.critic_target.load_state_dict(agent.critic.state_dict())
    for i, model in enumerate(getattr(agent.transition_model, "models", [agent.transition_model])):
        fill(model, 7 + i)
    fill(agent.reward_decoder, 20)
    if getattr(agent, "decoder", None) is not None:
        fill(agent.decoder, 21)
    buffer = utils.ReplayBuffer(shape, (2,), 10, 4, torch.device("cpu"))
    draw = (lambda: rng.randint(0, 255, size=shape).astype("uint8")) if len(shape) == 3 else lambda: rng.randn(*shape)
    for i in range(12):
        buffer.add(draw(), rng.uniform(-1, 1, size=2), rng.randn(), rng.randn(), draw(), i % 5 == 4)
    board = Board(name)
    for step in range(3):
        agent.update(buffer, board, step)
    with utils.eval_mode(agent.actor, agent.critic):
        say(f"{name} act", *agent.select_action(draw()), *agent.sample_action(draw()))
    os.makedirs("made", exist_ok=True)
    agent.save("made", 3)
    keep(f"{name} actor", agent.actor)
    keep(f"{name} critic", agent.critic)
    keep(f"{name} reward", agent.reward_decoder)
    say(f"{name} hash", utils.module_hash(agent.critic_target))
    fill(agent.actor, 9)
    agent.load("made", 3)
    say(f"{name} loaded", *agent.select_action(draw()), agent.critic.encoder is agent.actor.encoder)


attempt("bisim", lambda: run("bisim", BisimAgent, (3, 84, 84), transition_model_type="probabilistic", encoder_type="pixel"))
attempt("ensemble", lambda: run("ensemble", BisimAgent, (3, 84, 84), transition_model_type="ensemble", encoder_type="pixel"))
attempt("deepmdp", lambda: run("deepmdp", DeepMDPAgent, (3, 84, 84), transition_model_type="deterministic", encoder_type="pixel", decoder_type="identity"))
