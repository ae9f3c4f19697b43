import torch
import torch.nn as nn
from grad_cam import BackPropagation, Deconvnet, GradCAM, GuidedBackPropagation, occlusion_sensitivity
from probe import array, attempt, fill, say


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 12, 3, padding=1), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool2d(4)
        self.fc = nn.Linear(12 * 16, 5)

    def forward(self, x):
        return self.fc(self.pool(self.features(x)).flatten(1))


def cam(model, images):
    gcam = GradCAM(model=model, candidate_layers=["features.2", "features.3"])
    probs, ids = gcam.forward(images)
    say("probabilities", *probs[0])
    for i in range(2):
        gcam.backward(ids=ids[:, [i]])
        for layer in ("features.2", "features.3"):
            regions = gcam.generate(target_layer=layer)
            say("cam %s %d" % (layer, i), regions.sum(), regions.std())
    gcam.remove_hook()


def by(kind, model, images):
    tool = kind(model=model)
    probs, ids = tool.forward(images.clone())
    for i in range(2):
        tool.backward(ids=ids[:, [i]])
        gradients = tool.generate()
        say("%s %d" % (kind.__name__, i), gradients.sum(), gradients.abs().sum(), gradients.std())
    tool.remove_hook()


def occlude(model, images):
    maps = occlusion_sensitivity(model, images, torch.tensor([[1], [2]]), patch=5, stride=4, n_batches=3)
    say("occlusion", *maps.flatten()[:9])


model = Net()
fill(model)
model.eval()
images = array(0, 2, 3, 16, 16)
attempt("cam", lambda: cam(model, images))
for kind in (BackPropagation, GuidedBackPropagation, Deconvnet):
    attempt(kind.__name__, lambda: by(kind, model, images))
attempt("occlude", lambda: occlude(model, images))
