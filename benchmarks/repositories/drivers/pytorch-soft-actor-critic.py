from types import SimpleNamespace
import numpy as np
from probe import attempt, fill, keep, say
from replay_memory import ReplayMemory
from sac import SAC
from utils import hard_update

box = SimpleNamespace(shape=(2,), high=np.array([1.0, 2.0], dtype="float32"), low=np.array([-1.0, -2.0], dtype="float32"))


def run(name, **options):
    args = SimpleNamespace(gamma=0.99, tau=0.005, alpha=0.2, lr=3e-3, hidden_size=32, cuda=False, target_update_interval=1, **options)
    agent = SAC(5, box, args)
    fill(agent.critic)
    fill(agent.policy, 1)
    hard_update(agent.critic_target, agent.critic)
    memory = ReplayMemory(50, 7)
    rng = np.random.RandomState(3)
    state = rng.randn(5)
    for i in range(60):
        action = agent.select_action(state, evaluate=i % 2 == 0)
        following = rng.randn(5)
        memory.push(state, action, float(following.sum()), following, float(i % 9 != 0))
        state = following
        if len(memory) > 16 and i % 6 == 0:
            say("%s %d" % (name, i), *agent.update_parameters(memory, 16, i))
    agent.save_checkpoint("made", name, name + ".pt")
    other = SAC(5, box, args)
    other.load_checkpoint(name + ".pt", evaluate=True)
    say(name + " loaded", *other.select_action(np.ones(5), evaluate=True))
    keep(name + "critic", agent.critic)
    keep(name + "policy", other.policy)


attempt("gaussian", lambda: run("gaussian", policy="Gaussian", automatic_entropy_tuning=True))
attempt("fixed", lambda: run("fixed", policy="Gaussian", automatic_entropy_tuning=False))
attempt("deterministic", lambda: run("deterministic", policy="Deterministic", automatic_entropy_tuning=True))
