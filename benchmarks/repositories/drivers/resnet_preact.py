import types
import torch
import torch.nn.functional as F
from resnet_preact import Network
from probe import array, attempt, fill, keep, say, whole


def run(name, block, depth, last_bn, stages):
    model_config = types.SimpleNamespace(input_shape=(1, 3, 16, 16), n_classes=5, base_channels=8, remove_first_relu=last_bn, add_last_bn=last_bn, block_type=block, depth=depth, preact_stage=stages)
    model = Network(types.SimpleNamespace(model=model_config))
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4, nesterov=True)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 3], gamma=0.1)
    for step in range(4):
        model.train()
        pictures, classes = array(step, 6, 3, 16, 16), whole(step, 5, 6)
        optimizer.zero_grad()
        scores = model(pictures)
        loss = F.cross_entropy(scores, classes)
        loss.backward()
        optimizer.step()
        scheduler.step()
        _, guessed = torch.max(scores, dim=1)
        say("%s %d" % (name, step), loss.item(), guessed.eq(classes).sum().item(), optimizer.param_groups[0]["lr"])
    model.eval()
    with torch.no_grad():
        say(name + " eval", model(array(9, 4, 3, 16, 16)).abs().sum().item())
    keep(name, model)


attempt("basic", lambda: run("basic", "basic", 14, False, [True, True, True]))
attempt("bottleneck", lambda: run("bottleneck", "bottleneck", 11, True, [False, True, False]))
