from types import SimpleNamespace

import models
import torch
import torch.nn as nn
import utils
from torch.autograd import Variable

from probe import array, fill, keep, say


def main():
    words = [f"w{i}" for i in range(20)]
    word2id = {w: i for i, w in enumerate(["PAD_TOKEN", "UNK_TOKEN", *words])}
    embed = array(0, len(word2id), 8)
    vocab = utils.Vocab(embed, word2id)
    docs = {"doc": [], "labels": [], "summaries": []}
    for i, n in enumerate((3, 5, 4)):
        docs["doc"].append("\n".join(" ".join(words[(i * 3 + j * 5 + k) % 20] for k in range(2 + (i + j) % 4)) for j in range(n)))
        docs["labels"].append("\n".join(str((i + j) % 2) for j in range(n)))
        docs["summaries"].append("w1 w2")
    for name in ("RNN_RNN", "CNN_RNN"):
        args = SimpleNamespace(embed_num=len(word2id), embed_dim=8, hidden_size=6, seg_num=10, pos_num=20, pos_dim=4, kernel_num=5, kernel_sizes=[2, 3], device=None, save_dir="./", model=name, seed=1)
        net = getattr(models, name)(args, embed)
        fill(net)
        criterion = nn.BCELoss()
        optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
        net.train()
        for step in range(3):
            features, targets, _, lens = vocab.make_features(docs)
            features, targets = Variable(features), Variable(targets.float())
            probs = net(features, lens)
            loss = criterion(probs, targets)
            optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            say(f"{name} {step}", loss.item(), norm, len(lens))
        keep(name, net)
        net.load(net.save())
        net.eval()
        with torch.no_grad():
            probs = net(features, lens)
        start = 0
        for n in lens:
            top = probs[start : start + n].topk(2)[1].cpu().data.numpy()
            start += n
            say(f"{name} top", *sorted(top), probs.mean())


main()
