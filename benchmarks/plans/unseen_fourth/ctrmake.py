import deepctr_torch.models as models
from deepctr_torch.inputs import DenseFeat, SparseFeat, VarLenSparseFeat


def columns():
    return [SparseFeat("user", 7, embedding_dim=4), SparseFeat("item", 9, embedding_dim=4), DenseFeat("age", 1), DenseFeat("pay", 1),
            VarLenSparseFeat(SparseFeat("tags", 6, embedding_dim=4), maxlen=3, combiner="mean")]


def make(name, **options):
    cols = columns()
    return getattr(models, name)(cols, cols, **options)


def single(name, **options):
    cols = columns()
    return getattr(models, name)(cols, **options)
