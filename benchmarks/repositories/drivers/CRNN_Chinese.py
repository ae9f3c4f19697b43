import os
import sys
import types
import numpy as np
import torch
import train as module
from probe import Board, attempt, fill, keep, say


class Lines:
    def __init__(self, config, is_train):
        rng = np.random.RandomState(1 if is_train else 2)
        self.labels = [{f"{i}.png": "".join(rng.choice(list("abcd"), size=2 + i % 3))} for i in range(5 if is_train else 3)]
        self.pictures = rng.randn(len(self.labels), 1, 32, 48).astype("float32")

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.pictures[i], i


def names(**options):
    return types.SimpleNamespace(**options)


def config_of(kind, resumed=""):
    train = names(BATCH_SIZE_PER_GPU=3, SHUFFLE=False, BEGIN_EPOCH=0, END_EPOCH=3 if resumed else 2, RESUME=names(IS_RESUME=bool(resumed), FILE=resumed), OPTIMIZER=kind, LR=0.001, WD=1e-4, LR_STEP=[1, 4] if kind == "sgd" else 1, LR_FACTOR=0.1, MOMENTUM=0.9, NESTEROV=True, FINETUNE=names(IS_FINETUNE=False))
    return names(GPUID=0, WORKERS=0, PRINT_FREQ=1, PIN_MEMORY=False, OUTPUT_DIR="output", CUDNN=names(BENCHMARK=True, DETERMINISTIC=False, ENABLED=True), DATASET=names(DATASET="made", ALPHABETS="abcd"), TRAIN=train, TEST=names(BATCH_SIZE_PER_GPU=3, SHUFFLE=False, NUM_TEST_BATCH=10, NUM_TEST_DISP=3), MODEL=names(NAME="crnn", NUM_CLASSES=4, NUM_HIDDEN=8, IMAGE_SIZE=names(H=32, W=48)))


def run(kind):
    nets, build = [], module.crnn.get_crnn

    def built(config):
        net = build(config)
        fill(net, 3)
        for name in ("conv2", "conv4", "conv6"):  # before a normalisation
            getattr(net.cnn, name).bias.requires_grad = False
        nets.append(net)
        return net

    accuracy = module.function.validate

    def validated(*arguments):
        found = accuracy(*arguments)
        say("accuracy", found)
        torch.save({"state_dict": arguments[4].state_dict(), "epoch": arguments[7] + 1}, "last.pth")
        return found

    module.crnn.get_crnn, module.function.validate, module.get_dataset, module.SummaryWriter = built, validated, lambda config: Lines, Board
    for resumed in ("", "last.pth"):
        module.parse_arg = lambda: config_of(kind, resumed)
        module.main()
        keep(f"{kind} {resumed or 'first'}", nets[-1])
    module.crnn.get_crnn, module.function.validate = build, accuracy


attempt("sgd", lambda: run("sgd"))
attempt("rmsprop", lambda: run("rmsprop"))
