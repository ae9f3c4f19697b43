import logging
import os
import shutil
import sys
import tempfile
from types import SimpleNamespace
import numpy as np
import torch
import train_classification
from models.pointnet_utils import feature_transform_reguliarzer
from probe import array, attempt, fill, fit, keep, quiet, say, whole

root = tempfile.mkdtemp()
rng = np.random.RandomState(0)
names = ["chair%d" % i for i in range(10)]
with open(os.path.join(root, "modelnet10_shape_names.txt"), "w") as text:
    text.write("\n".join(names))
for split, n in (("train", 9), ("test", 6)):
    ids = []
    for i in range(n):
        name = names[i % 3]
        os.makedirs(os.path.join(root, name), exist_ok=True)
        ids.append("%s_%s%d" % (name, split, i))
        np.savetxt(os.path.join(root, name, ids[-1] + ".txt"), rng.randn(80, 6), delimiter=",")
    with open(os.path.join(root, "modelnet10_%s.txt" % split), "w") as text:
        text.write("\n".join(ids))
made = {}
shutil.rmtree("./log", ignore_errors=True)
loader = train_classification.ModelNetDataLoader
train_classification.ModelNetDataLoader = lambda root, args, split, process_data: loader(globals()["root"], args, split, process_data)


def prepared(model):
    fill(model)
    quiet(model)
    made["model"] = model


train_classification.prepared = prepared


def run(name, **changes):
    args = SimpleNamespace(use_cpu=True, gpu="0", batch_size=4, model=name, num_category=10, epoch=2, learning_rate=1e-3, num_point=64, optimizer="Adam", log_dir=name, decay_rate=1e-4, use_normals=False, process_data=False, use_uniform_sample=False)
    for key, value in changes.items():
        setattr(args, key, value)
    train_classification.args = args
    train_classification.parse_args = lambda: args
    np.random.seed(0)
    train_classification.main(args)
    stored = torch.load("./log/classification/%s/checkpoints/best_model.pth" % name, weights_only=False)
    say(name, stored["epoch"], stored["instance_acc"], stored["class_acc"])
    keep(name, made["model"])


def parts(name, inputs, **more):
    module = __import__("models." + name, fromlist=["x"])
    net = module.get_model(50, **more)
    fill(net)
    quiet(net)
    criterion = module.get_loss()
    net.apply(train_classification.inplace_relu)

    def loss(step):
        pred, trans = net(array(step, 2, inputs, 130), torch.eye(16)[whole(step, 16, 2)].unsqueeze(1))
        return criterion(pred.contiguous().view(-1, 50), whole(step, 50, 260), trans)

    fit(name, net, loss, torch.optim.Adam(net.parameters(), lr=1e-3), 2)


def scenes(name, points):
    module = __import__("models." + name, fromlist=["x"])
    net = module.get_model(13)
    fill(net)
    quiet(net)
    criterion = module.get_loss()
    weights = torch.linspace(0.5, 2, 13)

    def loss(step):
        pred, trans = net(array(step, 2, 9, points))
        return criterion(pred.contiguous().view(-1, 13), whole(step, 13, 2 * points), trans, weights)

    fit(name, net, loss, torch.optim.Adam(net.parameters(), lr=1e-3), 2)


attempt("pointnet_cls", lambda: run("pointnet_cls"))
attempt("pointnet2_cls_ssg", lambda: run("pointnet2_cls_ssg", use_normals=True, num_point=48, use_uniform_sample=True))
attempt("pointnet_sem_seg", lambda: scenes("pointnet_sem_seg", 40))
attempt("pointnet2_part_seg_ssg", lambda: parts("pointnet2_part_seg_ssg", 3))
say("regulariser", feature_transform_reguliarzer(array(0, 3, 4, 4)).item())
