import argparse
import torch
import torch.nn as nn
import finetune
from finetune import FilterPrunner, PrunningFineTuner_VGG16
from prune import prune_vgg16_conv_layer
from probe import array, attempt, fill, keep, quiet, say, whole


class Small(nn.Module):
    def __init__(self):
        super(Small, self).__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 6, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Conv2d(6, 8, 3, padding=1), nn.ReLU(inplace=True), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2))
        for param in self.features.parameters():
            param.requires_grad = False
        self.classifier = nn.Sequential(nn.Dropout(), nn.Linear(8 * 16, 20), nn.ReLU(inplace=True), nn.Dropout(), nn.Linear(20, 2))

    def forward(self, x):
        x = self.features(x)
        x = x.view(x.size(0), -1)
        x = self.classifier(x)
        return x


def main():
    finetune.args = argparse.Namespace(use_cuda=False)
    model = Small()
    fill(model)
    quiet(model)
    tuner = object.__new__(PrunningFineTuner_VGG16)
    tuner.train_data_loader = [(array(i, 4, 3, 16, 16), whole(i, 2, 4)) for i in range(2)]
    tuner.model = model
    tuner.criterion = nn.CrossEntropyLoss()
    tuner.prunner = FilterPrunner(model)
    tuner.model.train()
    finetune.model = model
    tuner.train(torch.optim.SGD(model.classifier.parameters(), lr=0.01, momentum=0.9), epoches=2)
    say("tuned", model(array(9, 2, 3, 16, 16)).abs().sum())
    for param in model.features.parameters():
        param.requires_grad = True
    say("filters", tuner.total_num_filters())
    targets = tuner.get_candidates_to_prune(7)
    for i in sorted(tuner.prunner.filter_ranks):
        say("ranks %d" % i, *tuner.prunner.filter_ranks[i])
    say("plan", *[n for pair in targets for n in pair])
    for layer, index in targets:
        model = prune_vgg16_conv_layer(model, layer, index, use_cuda=False)
    tuner.model = model
    say("left", tuner.total_num_filters(), model(array(9, 2, 3, 16, 16)).abs().sum())
    tuner.train(torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9), epoches=2)
    torch.save(model.state_dict(), "model_prunned")
    model.load_state_dict(torch.load("model_prunned"))
    say("end", model(array(9, 2, 3, 16, 16)).abs().sum())
    keep("pruned", model)


attempt("pruning", main)
