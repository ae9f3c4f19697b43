import sys
import types
import torch

tiktoken, load = types.ModuleType("tiktoken"), types.ModuleType("tiktoken.load")
tiktoken.load, load.load_tiktoken_bpe = load, None


class Letters:
    def encode(self, text, allowed_special=()):
        return [ord(c) % 13 for c in text]

    def decode(self, numbers):
        print("##\ttext\t" + " ".join(map(str, numbers)))
        return " ".join(map(str, numbers))


tiktoken.get_encoding = lambda name: Letters()
sys.modules.update({"tiktoken": tiktoken, "tiktoken.load": load})

from llms_from_scratch import appendix_d, appendix_e, ch02, ch04, ch05, ch06, llama3, qwen3
from probe import array, attempt, fill, keep, say, whole

TEXT = "a short text that is read again and again by a very small model of letters"
SMALL = {"vocab_size": 13, "context_length": 8, "emb_dim": 12, "n_heads": 3, "n_layers": 2, "drop_rate": 0.0, "qkv_bias": True}
LLAMA = {"vocab_size": 13, "context_length": 16, "emb_dim": 16, "n_heads": 4, "n_layers": 2, "hidden_dim": 20, "n_kv_groups": 2, "rope_base": 500.0, "dtype": torch.float32, "rope_freq": {"factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_context_length": 8}}
QWEN = {"vocab_size": 13, "context_length": 16, "emb_dim": 16, "n_heads": 4, "n_layers": 2, "hidden_dim": 20, "head_dim": 6, "qk_norm": True, "n_kv_groups": 2, "rope_base": 500.0, "dtype": torch.float32}


def simple(name, net, lora=False):
    fill(net, 3)
    if lora:
        for p in net.parameters():
            p.requires_grad = False
        appendix_e.replace_linear_with_lora(net, rank=2, alpha=3)
        for key, p in net.named_parameters():
            if "lora" in key:
                p.data.copy_(0.3 * array(len(key), *p.shape))
    given, held = ch02.create_dataloader_v1(TEXT, 3, 8, 4, shuffle=False), ch02.create_dataloader_v1(TEXT[::-1], 3, 8, 8, shuffle=False)
    optimizer = torch.optim.AdamW(filter(lambda p: p.requires_grad, net.parameters()), lr=4e-4, weight_decay=0.1, eps=1e-5)
    found = ch05.train_model_simple(net, given, held, optimizer, torch.device("cpu"), 2, 1, 2, "a small", Letters())
    say(name, *(x for values in found for x in values))
    keep(name, net)


def warmed():
    net = ch04.GPTModel(SMALL)
    fill(net, 4)
    given = ch02.create_dataloader_v1(TEXT, 3, 8, 4, shuffle=False)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.1, eps=1e-5)
    found = appendix_d.train_model(net, given, given, optimizer, torch.device("cpu"), 2, 2, 1, "a small", Letters(), 3)
    say("warmed", *(x for values in found for x in values), appendix_d.find_highest_gradient(net))
    keep("warmed", net)
    say("picked", *ch05.generate(net, whole(1, 13, 1, 5), 6, 8, top_k=3).flatten().tolist())


def classes():
    net = ch04.GPTModel(SMALL)
    fill(net, 5)
    for param in net.parameters():
        param.requires_grad = False
    net.out_head = torch.nn.Linear(12, 2)
    fill(net.out_head, 6)
    for part in (net.trf_blocks[-1], net.final_norm):
        for param in part.parameters():
            param.requires_grad = True
    given = [(whole(i, 13, 4, 8), whole(i + 9, 2, 4)) for i in range(3)]
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.1, eps=1e-5)
    found = ch06.train_classifier_simple(net, given, given[:1], optimizer, torch.device("cpu"), 2, 2, 2)
    say("classes", *(x for values in found[:4] for x in values), found[4])
    keep("classes", net)


def plain(name, net):
    fill(net, 7)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, eps=1e-5)
    for step in range(3):
        optimizer.zero_grad()
        loss = ch05.calc_loss_batch(whole(step, 13, 2, 9), whole(step + 5, 13, 2, 9), net, torch.device("cpu"))
        loss.backward()
        optimizer.step()
        say(f"{name} {step}", loss.item())
    keep(name, net)


attempt("simple", lambda: simple("simple", ch04.GPTModel(SMALL)))
attempt("fast", lambda: simple("fast", ch04.GPTModelFast(SMALL)))
attempt("lora", lambda: simple("lora", ch04.GPTModel(SMALL), lora=True))
attempt("warmed", warmed)
attempt("classes", classes)
attempt("llama", lambda: plain("llama", llama3.Llama3Model(LLAMA)))
attempt("qwen", lambda: plain("qwen", qwen3.Qwen3Model(QWEN)))
attempt("experts", lambda: plain("experts", qwen3.Qwen3Model({**QWEN, "num_experts": 3, "num_experts_per_tok": 2, "moe_intermediate_size": 9})))
