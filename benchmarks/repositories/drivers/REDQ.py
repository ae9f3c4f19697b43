import numpy as np
import torch
from probe import attempt, fill, keep, say
from redq.algos.core import TanhNormal, test_agent
from redq.algos.redq_sac import REDQSACAgent


class Logger:
    def __init__(self, name):
        self.name, self.step = name, 0

    def store(self, **values):
        self.step += 1
        for key, value in sorted(values.items()):
            say(f"{self.name} {self.step} {key}", *np.asarray(value, dtype="float64").reshape(-1)[:6])


class Env:
    def reset(self):
        self.state = np.linspace(-1, 1, 4)
        return self.state

    def step(self, action):
        self.state = 0.9 * self.state + 0.1 * np.cos(action).sum()
        return self.state, float(self.state.sum()), False, {}


def run(name, **options):
    np.random.seed(0)
    agent = REDQSACAgent("Hopper-v2", 4, 2, 1.0, torch.device("cpu"), hidden_sizes=(8, 8), replay_size=100, batch_size=8, start_steps=10, utd_ratio=2, lr=1e-3, polyak=0.9, policy_update_delay=2, **options)
    fill(agent.policy_net)
    for i, (net, target) in enumerate(zip(agent.q_net_list, agent.q_target_net_list)):
        fill(net, i + 1)
        target.load_state_dict(net.state_dict())
    rng = np.random.RandomState(1)
    logger = Logger(name)
    for step in range(14):
        agent.store_data(rng.randn(4), rng.uniform(-1, 1, 2), rng.randn(), rng.randn(4), step % 5 == 0)
        agent.train(logger)
    say(name + " test", *test_agent(agent, Env(), 5, None, 2))
    with torch.no_grad():
        say(name + " bias", *agent.get_ave_q_prediction_for_bias_evaluation(torch.ones(3, 4), torch.ones(3, 2)))
        action, log_prob = agent.get_action_and_logprob_for_bias_evaluation(np.ones(4))
    say(name + " act", *action, log_prob.item(), *agent.get_exploration_action(np.ones(4), None))
    keep(name + "-policy", agent.policy_net)
    for i in range(2):
        keep(f"{name}-q{i}", agent.q_net_list[i])
        keep(f"{name}-t{i}", agent.q_target_net_list[i])


def tanh_normal():
    value = torch.tensor([[0.3, -0.5]])
    dist = TanhNormal(torch.zeros(1, 2), torch.ones(1, 2) * 0.5)
    say("tanh", *dist.log_prob(value).reshape(-1), *dist.log_prob(torch.tanh(value), value).reshape(-1))


attempt("tanh", tanh_normal)
attempt("min", lambda: run("min", num_Q=4, num_min=2))
attempt("ave", lambda: run("ave", num_Q=2, q_target_mode="ave", auto_alpha=False))
attempt("rem", lambda: run("rem", num_Q=3, q_target_mode="rem", target_entropy="auto"))
