import numpy as np
import torch
import utils
from curl_sac import CurlSacAgent
from probe import attempt, fill, keep, say


class Logger:
    def __init__(self):
        self.values = []

    def log(self, key, value, step):
        self.values.append(float(value.item() if hasattr(value, "item") else value))

    def log_histogram(self, key, value, step):
        self.values.append(float(value.detach().abs().mean()))

    def log_image(self, key, value, step):
        self.values.append(float(value.detach().mean()))

    def log_param(self, key, param, step):
        self.values.append(float(param.weight.abs().mean()))


def run(name, kind, shape):
    device = torch.device("cpu")
    agent = CurlSacAgent(shape, (3,), device, hidden_dim=16, encoder_type=kind, encoder_feature_dim=10, num_layers=2, num_filters=4, log_interval=1, init_temperature=0.1)
    for i, net in enumerate([agent.critic, agent.actor, agent.critic_target]):
        fill(net, i)
    if kind == "pixel":
        with torch.no_grad():
            agent.CURL.W.fill_(0.05)
    raw = shape if len(shape) == 1 else (shape[0], 88, 88)
    buffer = utils.ReplayBuffer(raw, (3,), 32, 6, device, image_size=shape[-1])
    rng = np.random.RandomState(0)
    for i in range(20):
        obs, after = [rng.randn(*raw) if len(shape) == 1 else rng.randint(0, 255, raw).astype("uint8") for _ in range(2)]
        buffer.add(obs, rng.uniform(-1, 1, 3), rng.randn(), after, bool(rng.rand() > 0.8))
    np.random.seed(0)
    logger = Logger()
    for step in range(4):
        agent.update(buffer, logger, step)
        say("%s %d" % (name, step), *logger.values)
        logger.values = []
    with utils.eval_mode(agent.actor):
        obs = rng.randn(*shape)
        say(name + " act", *agent.select_action(obs), *agent.sample_action(obs))
    keep(name + "-critic", agent.critic)
    keep(name + "-actor", agent.actor)
    keep(name + "-target", agent.critic_target)


attempt("state", lambda: run("state", "identity", (7,)))
attempt("pixel", lambda: run("pixel", "pixel", (3, 84, 84)))
