import tempfile
import types
import torch
from gpt2.generation import GenerateConfig, GenerationSpec, Generator
from gpt2.train_model import GPT2TrainingSpec
from gpt2.training import TrainConfig, Trainer
from probe import attempt, fill, keep, say

folder = tempfile.mkdtemp()
words = [f"w{i}" for i in range(18)]
with open(folder + "/vocab", "w") as f:
    f.write("\n".join(["<unk>", *words]))
for name, step in (("train", 5), ("eval", 7)):
    with open(folder + "/" + name, "w") as f:
        for i in range(6):
            f.write(" ".join(words[(i + j * step) % 18] for j in range(4 + i)) + "\n")


class Spec(GPT2TrainingSpec):
    def construct_model(self):
        self.model = super().construct_model()
        fill(self.model)
        return self.model


def spec(seq_len, checkpointing):
    return Spec(folder + "/train", folder + "/eval", folder + "/vocab", seq_len, 2, 2, 16, 2, 0.0, 1e-2, 1e-2, 12, checkpointing)


def config(total, save):
    return TrainConfig(batch_train=3, batch_eval=2, total_steps=total, eval_steps=2, save_steps=save, save_model_path=folder + "/model.pth", save_checkpoint_path=folder + "/checkpoint.pth", description="", log_format="{train_loss:.4f} {eval_loss:.4f}", use_amp=False, gpus=None)


def train(name, checkpointing, **sources):
    made = spec(12, checkpointing)
    Trainer(made, config(8 if sources else 6, 4)).train(**sources)
    saved = torch.load(folder + "/model.pth")
    for key, values in saved["metrics"].items():
        for step, value in values:
            say(f"{name} {key} {step}", value)
    keep(name, made.model)


class Made(GenerationSpec):
    def initialize(self):
        self.spec = spec(16, False)
        self.spec.initialize()

    def construct_model(self):
        return self.spec.construct_model()

    def encode_context(self, context):
        return [self.spec.vocab.bos_idx, *(self.spec.vocab[w] for w in context.split())]

    def decode_tokens(self, tokens):
        return tokens

    def decorate_sequence(self, sequence, offset):
        return sequence


def generate():
    generator = Generator(Made(), GenerateConfig(seq_len=9, nucleus_prob=0.8, use_gpu=False))
    generator.initialize(from_model=folder + "/model.pth")
    say("generated", *generator.generate("w1 w6"))


attempt("plain", lambda: train("plain", False))
attempt("resumed", lambda: train("resumed", False, from_checkpoint=folder + "/checkpoint.pth"))
attempt("pretrained", lambda: train("pretrained", True, from_pretrained=folder + "/model.pth"))
attempt("generate", generate)
