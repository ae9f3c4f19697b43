from types import SimpleNamespace
import numpy as np
from probe import attempt, fill, keep, say
from sacd.agent import SacdAgent, SharedSacdAgent


class World:
    observation_space = SimpleNamespace(shape=(2, 84, 84))
    action_space = SimpleNamespace(n=3, sample=lambda: 1)

    def seed(self, seed):
        self.rng, self.time = np.random.RandomState(seed % 1000), 0

    def reset(self):
        return self.rng.randint(0, 255, size=(2, 84, 84)).astype("uint8")

    def step(self, action):
        self.time += 1
        return self.reset(), float(self.rng.randn()), self.time % 10 == 0, {}

    def close(self):
        pass


def run(name, kind, **options):
    world, other = World(), World()
    agent = kind(world, other, "logs", batch_size=6, memory_size=40, start_steps=8, num_steps=20, update_interval=6, target_update_interval=12, eval_interval=19, num_eval_steps=5, cuda=False, log_interval=1, max_episode_steps=10, **options)
    fill(agent.policy)
    fill(agent.online_critic, 1)
    if hasattr(agent, "conv"):
        fill(agent.conv, 2)
    agent.update_target()
    agent.explore = agent.exploit
    agent.writer = SimpleNamespace(add_scalar=lambda key, value, step: say("%s %s %d" % (name, key, step), value), close=lambda: None)
    agent.run()
    say(name, agent.alpha.item(), agent.steps, agent.learning_steps)
    keep(name + "critic", agent.online_critic.Q1)
    keep(name + "policy", agent.policy)


attempt("plain", lambda: run("plain", SacdAgent))
attempt("prioritised", lambda: run("prioritised", SacdAgent, use_per=True, multi_step=3, dueling_net=True))
attempt("shared", lambda: run("shared", SharedSacdAgent))
