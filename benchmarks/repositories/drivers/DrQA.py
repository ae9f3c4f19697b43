import os
import random
import tempfile
import numpy as np
import torch
from drqa.model import DocReaderModel
from probe import attempt, array, fill, keep, say
from train import BatchGen

folder = tempfile.mkdtemp()


def examples(seed, n, evaluation):
    rng = np.random.RandomState(seed)
    made = []
    for i in range(n):
        length, asked = rng.randint(5, 9), rng.randint(2, 5)
        row = [i, [int(v) for v in rng.randint(1, 20, length)], rng.rand(length, 4).tolist(), [int(v) for v in rng.randint(0, 3, length)], [int(v) for v in rng.randint(0, 2, length)], [int(v) for v in rng.randint(1, 20, asked)], "x" * 40, [(int(3 * j), int(3 * j + 2)) for j in range(length)]]
        made.append(row if evaluation else row + [int(rng.randint(0, 4)), int(rng.randint(0, 4))])
    return made


def run(name, **changes):
    opt = dict(cuda=0, optimizer="adamax", learning_rate=0.1, momentum=0.9, weight_decay=1e-4, grad_clipping=10, tune_partial=6, fix_embeddings=False, rnn_padding=False, question_merge="self_attn", doc_layers=2, question_layers=1, hidden_size=6, num_features=4, pos=True, ner=True, use_qemb=True, concat_rnn_layers=True, dropout_emb=0.0, dropout_rnn=0.0, dropout_rnn_output=True, max_len=15, rnn_type="lstm", pretrained_words=True, vocab_size=20, embedding_dim=5, pos_size=3, ner_size=2)
    opt.update(changes)
    BatchGen.pos_size, BatchGen.ner_size = 3, 2
    model = DocReaderModel(opt, array(7, 20, 5) * 0.3)
    fill(model.network)
    random.seed(0)
    batches = BatchGen(examples(0, 10, False), 4, False)
    for epoch in range(2):
        for i, batch in enumerate(batches):
            model.update(batch)
            say("%s %d %d" % (name, epoch, i), model.train_loss.value, model.updates)
    found = []
    for batch in BatchGen(examples(1, 5, True), 2, False, evaluation=True):
        found.extend(model.predict(batch))
    say(name + " spans", *[len(text) for text in found])
    path = os.path.join(folder, name + ".pt")
    model.save(path, 1, [0.1, 0.2, 0.3])
    say(name + " saved", os.path.exists(path))
    state = dict(network=model.network.state_dict(), optimizer=model.optimizer.state_dict(), updates=model.updates, loss=model.train_loss.state_dict())
    again = DocReaderModel(opt, array(7, 20, 5) * 0.3, state)
    for batch in batches:
        again.update(batch)
    say(name + " again", again.train_loss.value, again.updates)
    keep(name, again.network)


attempt("lstm", lambda: run("lstm"))
attempt("gru", lambda: run("gru", rnn_type="gru", rnn_padding=True, question_merge="avg", optimizer="sgd", learning_rate=0.01, tune_partial=0))
attempt("rnn", lambda: run("rnn", rnn_type="rnn", pretrained_words=False, use_qemb=False, concat_rnn_layers=False))
