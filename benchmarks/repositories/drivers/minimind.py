import argparse
import contextlib
import os
import sys
import types
import torch

for name in ("datasets", "transformers"):
    sys.modules[name] = types.ModuleType(name)
for name in ("AutoTokenizer", "AutoModel", "AutoModelForSequenceClassification", "load_dataset", "Features", "Sequence", "Value"):
    setattr(sys.modules["transformers"], name, None)
    setattr(sys.modules["datasets"], name, None)
sys.path.insert(0, os.path.abspath("."))

import trainer.train_dpo as dpo
import trainer.train_pretrain as pretrain
from model.model_lora import apply_lora, load_lora, merge_lora, save_lora
from model.model_minimind import MiniMindConfig, MiniMindForCausalLM
from trainer.trainer_utils import SkipBatchSampler, get_model_params, lm_checkpoint
from probe import attempt, fill, keep, say, whole

os.makedirs("made", exist_ok=True)


def made(**changes):
    config = MiniMindConfig(**dict(dict(hidden_size=32, num_hidden_layers=2, vocab_size=40, num_attention_heads=4, num_key_value_heads=2, head_dim=8, intermediate_size=24, max_position_embeddings=64), **changes))
    model = MiniMindForCausalLM(config)
    fill(model)
    get_model_params(model, config)
    return config, model


def set_up(module, config, model, **changes):
    module.args = argparse.Namespace(**dict(dict(device="cpu", epochs=2, learning_rate=1e-3, accumulation_steps=2, grad_clip=1.0, log_interval=1, save_interval=2, save_dir="made", save_weight="made" + str(config.use_moe)), **changes))
    module.lm_config, module.model, module.autocast_ctx = config, model, contextlib.nullcontext()
    module.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    module.scaler = torch.amp.GradScaler("cpu", enabled=False)


class Told:
    id = "made"

    def log(self, values):
        say("log", *(v for k, v in values.items() if k != "epoch_time"))


def pre(name, **changes):
    config, model = made(**changes)
    set_up(pretrain, config, model)
    data = torch.utils.data.TensorDataset(whole(1, 40, 10, 12), whole(1, 40, 10, 12))
    loader = torch.utils.data.DataLoader(data, batch_sampler=SkipBatchSampler(list(range(10)), 2, 0))
    pretrain.train_epoch(0, loader, len(loader), 0, Told())
    keep(name, model)
    state = lm_checkpoint(config, weight=pretrain.args.save_weight, save_dir="../checkpoints")
    _, model = made(**changes)
    set_up(pretrain, config, model)
    model.load_state_dict({k: v.float() for k, v in state["model"].items()})
    pretrain.optimizer.load_state_dict(state["optimizer"])
    pretrain.scaler.load_state_dict(state["scaler"])
    loader = torch.utils.data.DataLoader(data, batch_sampler=SkipBatchSampler(list(range(10)), 2, 2))
    pretrain.train_epoch(1, loader, len(loader) + 2, 2, Told())
    keep(name + "-resumed", model)
    written(name, model)
    return model


def written(name, model):
    model.eval()
    for options in (dict(do_sample=False, top_k=0, top_p=1.0), dict(do_sample=False, repetition_penalty=1.3, top_k=5), dict(do_sample=False, top_k=5, use_cache=False, num_return_sequences=2)):
        found = model.generate(whole(4, 40, 2, 5), attention_mask=torch.ones(2, 5), max_new_tokens=6, **options)
        say(f"{name} written", *found.shape, *found.flatten())
    logits = model(whole(4, 40, 2, 5), attention_mask=torch.tensor([[1, 1, 1, 1, 1], [0, 0, 1, 1, 1]]).float(), logits_to_keep=2).logits
    say(f"{name} logits", *logits.shape, logits[0].abs().sum().item())


def preferred():
    config, model = made()
    _, reference = made()
    reference.eval()
    reference.requires_grad_(False)
    set_up(dpo, config, model, save_weight="dpo")
    batches = [{f"{k}_{kind}": whole(i * 4 + j * 2 + n, 2 if k == "mask" else 40, 2, 9) for j, kind in enumerate(("chosen", "rejected")) for n, k in enumerate("x y mask".split())} for i in range(3)]
    dpo.train_epoch(0, batches, 3, reference, config, 0, Told(), 0.2)
    keep("dpo", model)


def low_rank():
    config, model = made(num_attention_heads=4, head_dim=8)
    apply_lora(model, rank=4)
    for name, p in model.named_parameters():
        p.requires_grad = "lora" in name
    fill(model)
    optimizer = torch.optim.AdamW([p for n, p in model.named_parameters() if "lora" in n], lr=1e-2)
    for step in range(3):
        found = model(whole(step, 40, 2, 9), labels=whole(step, 40, 2, 9))
        optimizer.zero_grad()
        (found.loss + found.aux_loss).backward()
        optimizer.step()
        say("lora", found.loss.item())
    keep("lora", model)
    save_lora(model, "made/lora.pth")
    _, again = made()
    apply_lora(again, rank=4)
    merge_lora(again, "made/lora.pth", "made/merged.pth")
    state = torch.load("made/merged.pth")
    say("merged", len(state), sum(v.float().abs().sum() for v in state.values()))


attempt("dense", lambda: pre("dense"))
attempt("moe", lambda: pre("moe", use_moe=True, num_experts_per_tok=2, flash_attn=False))
attempt("yarn", lambda: written("yarn", made(inference_rope_scaling=True, max_position_embeddings=4096, tie_word_embeddings=False)[1]))
attempt("dpo", preferred)
attempt("lora", low_rank)
