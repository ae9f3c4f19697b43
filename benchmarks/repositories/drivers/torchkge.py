import numpy as np
import torch
from torch.optim import SGD, Adagrad, Adam
from torchkge.data_structures import KnowledgeGraph
from torchkge.evaluation import LinkPredictionEvaluator, RelationPredictionEvaluator, TripletClassificationEvaluator
from torchkge.models import AnalogyModel, ComplExModel, ConvKBModel, DistMultModel, HolEModel, RESCALModel, TransDModel, TransEModel, TransHModel, TransRModel
from torchkge.utils import BinaryCrossEntropyLoss, LogisticLoss, MarginLoss, Trainer
from probe import attempt, fill, keep, say, whole


def graph(seed=0, count=40, entities=12, relations=3):
    facts = sorted({(int(h), int(t), int(r)) for h, t, r in zip(*[np.random.RandomState(seed + i).randint(0, n, count) for i, n in enumerate((entities, entities, relations))])})
    h, t, r = [torch.tensor([fact[i] for fact in facts]) for i in range(3)]
    return KnowledgeGraph(kg={"heads": h, "tails": t, "relations": r}, ent2ix={i: i for i in range(entities)}, rel2ix={i: i for i in range(relations)})


class Kept:
    """The losses of every batch."""

    def __init__(self, criterion):
        self.criterion, self.values = criterion, []

    def __call__(self, p, n):
        loss = self.criterion(p, n)
        self.values.append(loss.item())
        return loss


def run(name, make, criterion, optimizer, sampling="bern", relations=True):
    np.random.seed(0)
    kg = graph()
    model = make(kg.n_ent, kg.n_rel)
    fill(model)
    model.normalize_parameters()
    kept = Kept(criterion)
    trainer = Trainer(model, kept, kg, 2, 16, optimizer(model.parameters()), sampling_type=sampling, use_cuda=None)
    trainer.run()
    say(name + " losses", *kept.values)
    keep(name, model)
    links = LinkPredictionEvaluator(model, kg)
    links.evaluate(8, verbose=False)
    say(name + " links", *links.mean_rank(), *links.hit_at_k(3), *links.mrr())
    if relations:
        rels = RelationPredictionEvaluator(model, kg)
        rels.evaluate(8, verbose=False)
        say(name + " relations", *rels.mean_rank(), *rels.hit_at_k(1), *rels.mrr())
    say(name + " embeddings", *[e.sum().item() for e in model.get_embeddings() if isinstance(e, torch.Tensor)])


attempt("transe", lambda: run("transe", lambda e, r: TransEModel(6, e, r, "L2"), MarginLoss(0.5), lambda p: Adam(p, lr=0.01, weight_decay=1e-5)))
attempt("transe1", lambda: run("transe1", lambda e, r: TransEModel(6, e, r, "L1"), MarginLoss(0.5), lambda p: SGD(p, lr=0.01), "unif"))
attempt("transh", lambda: run("transh", lambda e, r: TransHModel(6, e, r), MarginLoss(0.5), lambda p: Adam(p, lr=0.01)))
attempt("transr", lambda: run("transr", lambda e, r: TransRModel(6, 4, e, r), MarginLoss(0.5), lambda p: Adagrad(p, lr=0.01)))
attempt("transd", lambda: run("transd", lambda e, r: TransDModel(6, 4, e, r), LogisticLoss(), lambda p: Adam(p, lr=0.01)))
attempt("rescal", lambda: run("rescal", lambda e, r: RESCALModel(6, e, r), BinaryCrossEntropyLoss(), lambda p: Adam(p, lr=0.01)))
attempt("distmult", lambda: run("distmult", lambda e, r: DistMultModel(6, e, r), LogisticLoss(), lambda p: Adam(p, lr=0.01)))
attempt("hole", lambda: run("hole", lambda e, r: HolEModel(6, e, r), MarginLoss(0.5), lambda p: Adam(p, lr=0.01)))
attempt("complex", lambda: run("complex", lambda e, r: ComplExModel(6, e, r), LogisticLoss(), lambda p: Adam(p, lr=0.01)))
attempt("analogy", lambda: run("analogy", lambda e, r: AnalogyModel(6, e, r), LogisticLoss(), lambda p: Adam(p, lr=0.01)))
attempt("convkb", lambda: run("convkb", lambda e, r: ConvKBModel(6, 5, e, r), LogisticLoss(), lambda p: Adam(p, lr=0.01), relations=True))


def split():
    torch.manual_seed(0)
    kg = graph(3, 60)
    train, valid, test = kg.split_kg(sizes=(len(kg) - 16, 8, 8))
    say("split", len(train), len(valid), len(test), train.head_idx.sum().item(), valid.tail_idx.sum().item(), test.relations.sum().item())
    model = TransEModel(6, kg.n_ent, kg.n_rel, "L2")
    fill(model)
    evaluator = TripletClassificationEvaluator(model, kg, kg)
    np.random.seed(1)
    evaluator.evaluate(8)
    say("thresholds", *evaluator.thresholds)
    say("accuracy", evaluator.accuracy(8))


attempt("split", split)
