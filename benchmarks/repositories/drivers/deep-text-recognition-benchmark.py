from types import SimpleNamespace
import numpy as np
import torch
from model import Model
from probe import array, attempt, fill, keep, say
from utils import AttnLabelConverter, Averager, CTCLabelConverter


def run(name, trans, feat, seq, pred, width=100, steps=2, output=32):
    opt = SimpleNamespace(Transformation=trans, FeatureExtraction=feat, SequenceModeling=seq, Prediction=pred, num_fiducial=10, imgH=32, imgW=width, input_channel=1, output_channel=output, hidden_size=16, batch_max_length=6)
    converter = CTCLabelConverter("abcdef") if "CTC" in pred else AttnLabelConverter("abcdef")
    opt.num_class = len(converter.character)
    model = Model(opt)
    fill(model)
    if trans == "TPS":
        model.Transformation.LocalizationNetwork.localization_fc2.weight.data.fill_(0.001)
        points = np.linspace(-0.9, 0.9, 5)
        model.Transformation.LocalizationNetwork.localization_fc2.bias.data = torch.from_numpy(np.concatenate([np.stack([points, points * 0 - 0.8], 1), np.stack([points, points * 0 + 0.8], 1)], 0)).float().view(-1)
    model = torch.nn.DataParallel(model)
    model.train()
    if "CTC" in pred:
        criterion = torch.nn.CTCLoss(zero_infinity=True)
    else:
        criterion = torch.nn.CrossEntropyLoss(ignore_index=0)
    loss_avg = Averager()
    filtered = [p for p in filter(lambda p: p.requires_grad, model.parameters())]
    say(name + " size", sum(np.prod(p.size()) for p in filtered))
    optimizer = torch.optim.Adadelta(filtered, lr=1, rho=0.95, eps=1e-8)
    for step in range(steps):
        image, labels = torch.tanh(array(step, 3, 1, 32, width)), ["abc", "fed", "aabbf"]
        text, length = converter.encode(labels, batch_max_length=opt.batch_max_length)
        if "CTC" in pred:
            preds = model(image, text)
            sizes = torch.IntTensor([preds.size(1)] * 3)
            cost = criterion(preds.log_softmax(2).permute(1, 0, 2), text, sizes, length)
        else:
            preds = model(image, text[:, :-1])
            cost = criterion(preds.view(-1, preds.shape[-1]), text[:, 1:].contiguous().view(-1))
        model.zero_grad()
        cost.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimizer.step()
        loss_avg.add(cost)
        say("%s %d" % (name, step), cost.item(), loss_avg.val().item())
    model.eval()
    with torch.no_grad():
        start = torch.LongTensor(3, opt.batch_max_length + 1).fill_(0)
        preds = model(image, start, is_train=False)
        _, index = preds.max(2)
        words = converter.decode(index, torch.IntTensor([preds.size(1)] * 3))
        say(name + " end", preds.abs().sum().item(), *[len(word) for word in words])
        say(name + " back", *[len(w) for w in converter.decode(text, length)])
    keep(name, model.module)


attempt("attention", lambda: run("attention", "None", "VGG", "BiLSTM", "Attn"))
attempt("ctc", lambda: run("ctc", "None", "VGG", "None", "CTC"))
attempt("rcnn", lambda: run("rcnn", "None", "RCNN", "BiLSTM", "CTC", width=64))
attempt("tps", lambda: run("tps", "TPS", "ResNet", "BiLSTM", "Attn", width=64))
