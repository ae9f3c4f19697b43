import os
import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torchmoji import model_def
from torchmoji.finetuning import change_trainable
from torchmoji.model_def import TorchMoji, load_specific_weights
from probe import attempt, fill, keep, quiet, say


def tokens(seed, count):
    rng = np.random.RandomState(seed)
    ids = np.zeros((count, 9), dtype="uint16")
    for i in range(count):
        n = rng.randint(3, 10)
        ids[i, :n] = rng.randint(1, 30, n)
    return ids


def run(name, classes, **options):
    torch.manual_seed(0)
    model = TorchMoji(nb_classes=classes, nb_tokens=30, output_logits=True, **options)
    fill(model)
    quiet(model)
    optimizer = optim.Adam((p for p in model.parameters() if p.requires_grad), lr=1e-3)
    criterion = nn.BCEWithLogitsLoss() if classes == 2 else nn.CrossEntropyLoss()
    ids = tokens(1, 12)
    labels = np.random.RandomState(2).randint(0, classes, 12)
    for step in range(3):
        model.train()
        optimizer.zero_grad()
        X = torch.from_numpy(ids.astype("int64")).long()
        outputs = model(X)
        if isinstance(outputs, tuple):
            outputs = outputs[0]
        y = torch.from_numpy(labels).float().unsqueeze(1) if classes == 2 else torch.from_numpy(labels)
        loss = criterion(outputs, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), *outputs.detach().flatten()[:4])
    keep(name, model)
    model.eval()
    result = model(ids)
    if isinstance(result, tuple):
        result, weights = result
        say(name + " attention", *weights.detach().flatten()[:9])
    say(name + " predicted", *result.flatten()[:6], result.shape[0], result.shape[1])
    return model


def loaded():
    model = run("binary", 2)
    path = os.environ["OUT"] + "-weights.bin"
    torch.save(model.state_dict(), path)
    model_def.NB_TOKENS = 30
    other = TorchMoji(nb_classes=3, nb_tokens=34, output_logits=True)
    fill(other, 5)
    load_specific_weights(other, path, exclude_names=["output_layer"], extend_embedding=4)
    say("loaded", *[p.abs().sum().item() for p in other.parameters()])
    say("features", *other(tokens(4, 5)).flatten())
    change_trainable(other.lstm_0, False, verbose=False)
    say("trainable", sum(p.requires_grad for p in other.parameters()))
    print(other.lstm_0, other.attention_layer)


attempt("five", lambda: run("five", 5, return_attention=True))
attempt("loaded", loaded)
