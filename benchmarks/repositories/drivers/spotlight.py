import numpy as np
import spotlight.cross_validation as cross_validation
import spotlight.layers as layers
import torch
from probe import attempt, fill, keep, say
from spotlight.cross_validation import random_train_test_split, user_based_train_test_split
from spotlight.datasets import synthetic
from spotlight.evaluation import mrr_score, precision_recall_score, rmse_score, sequence_mrr_score, sequence_precision_recall_score
from spotlight.factorization.explicit import ExplicitFactorizationModel
from spotlight.factorization.implicit import ImplicitFactorizationModel
from spotlight.factorization.representations import BilinearNet
from spotlight.interactions import Interactions
from spotlight.layers import BloomEmbedding
from spotlight.sequence.implicit import ImplicitSequenceModel
from spotlight.sequence.representations import CNNNet, LSTMNet, MixtureLSTMNet, PoolNet


def interactions(ratings):
    rng = np.random.RandomState(0)
    return Interactions(rng.randint(0, 9, 60).astype(np.int32), rng.randint(1, 14, 60).astype(np.int32), ratings=(rng.randint(1, 6, 60).astype(np.float32) if ratings else None), num_users=9, num_items=14)


def factors(name, kind, loss, ratings=True, bloom=False, optimizer=None):
    state = np.random.RandomState(3)
    train, test = random_train_test_split(interactions(ratings), random_state=np.random.RandomState(1))
    embedding = {"item_embedding_layer": BloomEmbedding(14, 8, compression_ratio=0.5, num_hash_functions=2)} if bloom else {}
    net = BilinearNet(9, 14, 8, **embedding)
    fill(net)
    model = kind(loss=loss, embedding_dim=8, n_iter=2, batch_size=16, l2=1e-5, learning_rate=1e-2, representation=net, random_state=state, optimizer_func=optimizer)
    model.fit(train, verbose=True)
    keep(name, net)
    say(name, *model.predict(3)[:6], *model.predict(np.array([1, 2, 3]), np.array([3, 4, 5])))
    say(f"{name} scores", mrr_score(model, test, train=train).mean(), *np.concatenate(precision_recall_score(model, test, train, k=3)).ravel()[:6], *([rmse_score(model, test)] if ratings else []))


def sequence(name, net, loss):
    state = np.random.RandomState(5)
    made = synthetic.generate_sequential(num_users=8, num_items=14, num_interactions=160, concentration_parameter=0.01, order=2, random_state=np.random.RandomState(2))
    train, test = (part.to_sequence(max_sequence_length=6, step_size=None) for part in user_based_train_test_split(made, random_state=np.random.RandomState(4)))
    fill(net)
    model = ImplicitSequenceModel(loss=loss, representation=net, batch_size=8, embedding_dim=8, learning_rate=1e-2, l2=1e-6, n_iter=2, random_state=state)
    model.fit(train, verbose=True)
    keep(name, net)
    say(name, *model.predict(np.array([1, 4, 3]))[:8], sequence_mrr_score(model, test).mean(), *np.asarray(sequence_precision_recall_score(model, test, 2)[0])[:3])


layers.murmurhash3_32 = cross_validation.murmurhash3_32 = lambda x, seed, positive=True: np.array((x.astype(np.int64) * 2654435761 + int(seed) * 40503) % 2**31, dtype=np.int32)
n = 15
for loss in ("regression", "poisson", "logistic"):
    attempt(loss, lambda: factors(loss, ExplicitFactorizationModel, loss if loss != "logistic" else "regression"))
for loss in ("pointwise", "bpr", "hinge", "adaptive_hinge"):
    attempt(loss, lambda: factors(loss, ImplicitFactorizationModel, loss, False, loss == "hinge", (lambda p: torch.optim.Adagrad(p, lr=1e-2, weight_decay=1e-6)) if loss == "bpr" else None))
attempt("pool", lambda: sequence("pool", PoolNet(n, embedding_dim=8), "bpr"))
attempt("lstm", lambda: sequence("lstm", LSTMNet(n, embedding_dim=8), "hinge"))
attempt("cnn", lambda: sequence("cnn", CNNNet(n, embedding_dim=8, kernel_width=3, dilation=(1, 2), num_layers=2, nonlinearity="relu", residual_connections=True), "pointwise"))
attempt("mixture", lambda: sequence("mixture", MixtureLSTMNet(n, embedding_dim=8, num_mixtures=2), "adaptive_hinge"))
