import json
import os
import sys
import numpy as np

os.makedirs("data/MNIST/raw", exist_ok=True)
for part, count in (("train", 16), ("t10k", 8)):
    rng = np.random.RandomState(count)
    with open(f"data/MNIST/raw/{part}-images-idx3-ubyte", "wb") as file:
        file.write(np.array([2051, count, 28, 28], dtype=">i4").tobytes() + rng.randint(0, 255, (count, 28, 28)).astype("uint8").tobytes())
    with open(f"data/MNIST/raw/{part}-labels-idx1-ubyte", "wb") as file:
        file.write(np.array([2049, count], dtype=">i4").tobytes() + rng.randint(0, 10, count).astype("uint8").tobytes())
with open("config.yaml", "w") as file:
    json.dump({"parameters": {"num_epochs": 2, "learning_rate": 0.01, "batch_size": 4, "image_resolution": 32, "MNIST": True, "n_classes": 10, "optimizer": "sgd"}}, file)
sys.argv = ["main.py", "--model", "resnext", "--model_save", "1", "--checkpoint", "1"]

import torch  # noqa: E402
import main  # noqa: E402
from probe import attempt, fill, keep, quiet, say  # noqa: E402
from trainAndTestWithSAM import TrainingWithSAM  # noqa: E402

for i, group in enumerate(main.trainer.optimizer.param_groups):
    say(f"script {i}", group["lr"], len(group["params"]))
say("script sum", sum(p.abs().sum().item() for p in main.model.parameters()))
keep("script", main.model)


def images():
    for i in range(3):
        yield torch.from_numpy(np.random.RandomState(i).randn(4, 1, 32, 32).astype("float32")), torch.tensor([1, 2, 3, i])


class Batches:
    dataset = range(12)

    def __len__(self):
        return 3

    def __iter__(self):
        return images()


def run(name, model, trainer=main.Training, optimizer="sgd"):
    fill(model)
    quiet(model)
    trainer(model=model, optimizer=optimizer, learning_rate=0.01, train_dataloader=Batches(), num_epochs=2, test_dataloader=Batches(), model_name=name, plot=False, model_save=True, checkpoint=name == "adam").runner()
    say(name, sum(p.abs().sum().item() for p in model.parameters()))
    keep(name, model)
    again = torch.load(f"model_store/{name}best-model-parameters.pt")
    say(f"{name} stored", sum(float(v.float().abs().sum()) for k, v in again.items() if "num_batches" not in k))


attempt("gmlp", lambda: run("gmlp", main.gMLPForImageClassification(in_channels=1, n_classes=10, image_size=32, patch_size=16, d_model=16, d_ffn=16, seq_len=4, num_layers=2)))
attempt("mlpmixer", lambda: run("mlpmixer", main.MLPMixer(image_size=32, input_channels=1, patch_size=16, dim=16, depth=2, n_classes=10, token_dim=8, channel_dim=32)))
attempt("adam", lambda: run("adam", main.MobileNetV2(input_channel=1, n_classes=10), optimizer="adam"))
attempt("squeezenet", lambda: run("squeezenet", main.SqueezeNet(input_channel=1, n_classes=10)))
attempt("sam", lambda: run("sam", main.SENet(input_channel=1, n_classes=10), TrainingWithSAM))
