import json
import os
import sys
import tempfile
import types
import numpy as np
import torch

sys.path.insert(0, ".")
sys.modules["tiktoken"] = types.ModuleType("tiktoken")

import scripts.train_dpo as dpo
import scripts.train_grpo as grpo
import scripts.train_ppo as ppo
import scripts.train_reward as reward
from src.models.transformer import Transformer
from probe import attempt, fill, keep, say, whole

folder = tempfile.mkdtemp()
MODEL = ["--vocab_size", "32", "--context_length", "16", "--n_embed", "8", "--n_head", "2", "--n_blocks", "2", "--device", "cpu", "--log_dir", folder, "--sft_ckpt", folder + "/sft.pt"]
base = Transformer(2, 8, 16, 32, 2)
fill(base, 1)
torch.save({"model_state_dict": {"module." + k: v for k, v in base.state_dict().items()}}, folder + "/sft.pt")
with open(folder + "/pairs.jsonl", "w") as file:
    file.write("{}\n" * 6)


class Log:
    def __init__(self, stage, folder, **options):
        self.stage = stage

    def log(self, step, values):
        say(f"{self.stage} {step}", *values.values())

    def close(self):
        pass


def pairs(path, batch_size, max_len, device, rank, world_size, shuffle, infinite):
    step = 0
    while infinite or step < 2:
        chosen, rejected = whole(step, 30, batch_size, 9), whole(step + 50, 30, batch_size, 9)
        lengths = torch.tensor([9 - i % 3 for i in range(batch_size)])
        mask = (torch.arange(9)[None] >= 3) & (torch.arange(9)[None] < lengths[:, None])
        yield {"chosen_ids": chosen, "rejected_ids": rejected, "chosen_mask": mask, "rejected_mask": mask, "chosen_len": lengths, "rejected_len": lengths}
        step += 1


def prompts(path, count, rank, world_size, seed):
    turn = 0
    while True:
        yield [{"prompt": "x" * (3 + (turn + i) % 2), "gold": i} for i in range(count)]
        turn += 1


for module in (dpo, grpo, ppo, reward):
    module.MetricsLogger = Log
for module in (dpo, reward):
    module.get_preference_iterator = pairs
for module in (grpo, ppo):
    module.get_prompt_iterator = prompts
    module.encode_prompt = lambda messages: [5 + 3 * i for i in range(len(messages[0]["content"]))]
    module.decode = lambda ids: " ".join(map(str, ids))
    module.reward_gsm8k = lambda text, gold: (sum(map(int, text.split())) + gold) % 5 / 4


def run(name, module, *options):
    sys.argv = [name, *MODEL, "--out_ckpt", f"{folder}/{name}.pt", *options]
    module.main()
    found = torch.load(f"{folder}/{name}.pt", map_location="cpu", weights_only=False)
    say(name, found["step"], *found["metrics"].values())
    np.savez(os.environ["OUT"] + f"-{name}.npz", **{f"{i:04d} {k}": v.numpy() for i, (k, v) in enumerate(found["model_state_dict"].items())})


OFFLINE = ["--lr", "1e-2", "--batch_size", "2", "--warmup_steps", "1", "--eval_steps", "2", "--save_every", "2", "--pref_path", folder + "/pairs.jsonl"]
ONLINE = ["--lr", "1e-2", "--iterations", "2", "--rollout_len", "6", "--prompts_per_iter", "3"]
attempt("dpo", lambda: run("dpo", dpo, *OFFLINE))
attempt("orpo", lambda: run("orpo", dpo, *OFFLINE, "--loss_type", "orpo"))
attempt("kto", lambda: run("kto", dpo, *OFFLINE, "--loss_type", "kto"))
attempt("reward", lambda: run("reward", reward, *OFFLINE))
attempt("grpo", lambda: run("grpo", grpo, *ONLINE, "--group_size", "3", "--top_p", "0.9", "--curriculum_iters", "1", "--temperature", "0.8"))
attempt("ppo", lambda: run("ppo", ppo, *ONLINE, "--minibatch_size", "2", "--ppo_epochs", "2"))
attempt("ppo by reward", lambda: run("ppo_rm", ppo, *ONLINE, "--minibatch_size", "2", "--ppo_epochs", "1", "--reward_source", "rm", "--reward_ckpt", folder + "/reward.pt"))
