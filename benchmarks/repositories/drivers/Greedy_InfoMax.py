from types import SimpleNamespace
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset
from GreedyInfoMax.utils import model_utils
from GreedyInfoMax.vision import downstream_classification, main_vision
from GreedyInfoMax.vision.models import load_vision_model
from GreedyInfoMax.vision.models.ClassificationModel import ClassificationModel
from probe import array, attempt, fill, keep, say, whole


def picked(high, shape, dtype=None, device=None):
    return (torch.arange(shape[0] * shape[1]).view(shape) * 7 + 3) % high


model_utils.picked = picked


class Logs:
    def __init__(self, name):
        self.name = name

    def append_train_loss(self, values):
        say(self.name + " train", *values)

    def append_val_loss(self, values):
        say(self.name + " valid", *values)

    def create_log(self, model, **rest):
        say(self.name + " epoch", rest["epoch"])


def loader(seed, n, size):
    return DataLoader(TensorDataset(array(seed, n, 1, size, size), whole(seed, 10, n)), batch_size=2)


def run(name, splits, module, loss, classify=False):
    size = 64 if splits == 1 and loss == 0 else 56
    opt = SimpleNamespace(model_splits=splits, train_module=module, loss=loss, negative_samples=3, prediction_step=2, resnet=34, grayscale=True, weight_init=False, dataset="stl10", device=torch.device("cpu"), learning_rate=1e-3, batch_size=2, start_epoch=0, num_epochs=1, validate=True, model_type=0, experiment="vision", training_dataset="unlabeled")
    model, optimizer = load_vision_model.load_model_and_optimizer(opt)
    fill(model.module)
    main_vision.train_loader, main_vision.test_loader = loader(0, 4, size), loader(1, 2, size)
    main_vision.optimizer, main_vision.logs = optimizer, Logs(name)
    main_vision.train(opt, model)
    keep(name, model.module.encoder[0])
    if classify:
        model.module.switch_calc_loss(False)
        head = ClassificationModel(256, 10)
        fill(head)
        head.avg_pool = torch.nn.AvgPool2d((6, 6))
        downstream_classification.criterion = torch.nn.CrossEntropyLoss()
        downstream_classification.optimizer = torch.optim.Adam(head.parameters(), lr=0.01)
        downstream_classification.logs = Logs(name + " head")
        downstream_classification.test_loader = loader(3, 2, size)
        opt.num_epochs = 2
        downstream_classification.train_logistic_regression(opt, model, head, loader(2, 4, size))
        keep(name + " head", head)


attempt("greedy", lambda: run("greedy", 3, 3, 0, True))
attempt("one", lambda: run("one", 3, 0, 0))
attempt("supervised", lambda: run("supervised", 1, 1, 1))
