import agents
from torch.utils.data import DataLoader, Dataset

from probe import array, attempt, fill, keep, say, whole


class Task(Dataset):
    def __init__(self, seed, name):
        self.x, self.y, self.name = array(seed, 8, 1, 32, 32), whole(seed, 3, 8), name

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], int(self.y[i]), self.name


def run(kind, name, heads, optimizer="Adam"):
    config = dict(lr=1e-3, momentum=0.9, weight_decay=1e-4, schedule=[2], model_type="mlp", model_name="MLP100", model_weights=None, out_dim=heads, optimizer=optimizer, print_freq=0, gpuid=[-1], reg_coef=10.0)
    agent = agents.__dict__[kind].__dict__[name](config)
    fill(agent.model)
    for k, task in enumerate(("1", "2")):
        train, val = (DataLoader(Task(k * 7 + s, task if len(heads) > 1 else "All"), batch_size=4) for s in (0, 3))
        agent.learn_batch(train, val)
        say(f"{name} {task}", agent.validation(val), agent.count_parameter())
    if hasattr(agent, "regularization_terms"):
        for key, term in agent.regularization_terms.items():
            say(f"{name} importance {key}", *[v.sum() for v in term["importance"].values()])
    keep(f"{name}{len(heads)}", agent.model)


for kind, name, heads, optimizer in (
    ("default", "NormalNN", {"All": 3}, "SGD"),
    ("regularization", "L2", {"1": 3, "2": 3}, "Adam"),
    ("regularization", "EWC", {"1": 3, "2": 3}, "Adam"),
    ("regularization", "EWC_online", {"All": 3}, "amsgrad"),
    ("regularization", "SI", {"1": 3, "2": 3}, "Adam"),
    ("regularization", "MAS", {"All": 3}, "RMSprop"),
):
    attempt(name, lambda: run(kind, name, heads, optimizer))
