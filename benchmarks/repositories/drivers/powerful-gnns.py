import types
import networkx as nx
import numpy as np
import torch
import main
from models.graphcnn import GraphCNN
from util import S2VGraph
from probe import attempt, fill, keep, say


def graphs():
    rng = np.random.RandomState(0)
    made = []
    for i in range(10):
        n = 5 + i % 4
        g = nx.Graph()
        g.add_nodes_from(range(n))
        g.add_edges_from((j, (j + 1) % n) for j in range(n))
        g.add_edge(0, 2)
        graph = S2VGraph(g, i % 2, node_tags=[int(t) for t in rng.randint(0, 3, n)])
        graph.neighbors = [list(g.neighbors(j)) for j in range(n)]
        graph.max_neighbor = max(len(x) for x in graph.neighbors)
        edges = [list(pair) for pair in g.edges()]
        edges.extend([[j, i] for i, j in edges])
        graph.edge_mat = torch.LongTensor(edges).transpose(0, 1)
        graph.node_features = torch.zeros(n, 3)
        graph.node_features[range(n), graph.node_tags] = 1
        made.append(graph)
    return made


def run(name, learn_eps, pool, neighbours):
    made = graphs()
    model = GraphCNN(3, 2, 3, 8, 2, 0.0, learn_eps, pool, neighbours, torch.device("cpu"))
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=50, gamma=0.5)
    main.tqdm = lambda it, unit=None: Bar(it)
    args = types.SimpleNamespace(iters_per_epoch=3, batch_size=5)
    np.random.seed(0)
    for epoch in range(2):
        say("%s %d" % (name, epoch), main.train(args, model, torch.device("cpu"), made[:7], optimizer, epoch))
        scheduler.step()
    say(name + " test", *main.test(args, model, torch.device("cpu"), made[:7], made[7:], 0))
    keep(name, model)


class Bar:
    def __init__(self, it):
        self.it = it

    def __iter__(self):
        return iter(self.it)

    def set_description(self, text):
        pass


attempt("sum", lambda: run("sum", True, "sum", "sum"))
attempt("average", lambda: run("average", False, "average", "average"))
attempt("max", lambda: run("max", True, "sum", "max"))
