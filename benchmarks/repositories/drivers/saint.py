import numpy as np
import torch
from augmentations import add_noise, embed_data_mask, mixup_data
from models import SAINT

from probe import array, fill, keep, say, whole

SIZES = np.array([1, 4, 6, 3])


def batch(seed, n=5):
    r = np.random.RandomState(seed)
    categ = torch.from_numpy(np.stack([r.randint(0, s, n) for s in SIZES], 1)).long()
    return categ, array(seed, n, 3), torch.from_numpy(r.randint(0, 2, (n, 4))), torch.from_numpy(r.randint(0, 2, (n, 3))), whole(seed, 2, n)


def run(style):
    model = SAINT(categories=tuple(SIZES), num_continuous=3, dim=8, dim_out=1, depth=2, heads=2, attn_dropout=0.0, ff_dropout=0.0, mlp_hidden_mults=(4, 2), cont_embeddings="MLP",
                  attentiontype=style, final_mlp_style="sep", y_dim=2)
    fill(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    cross, squares = torch.nn.CrossEntropyLoss(), torch.nn.MSELoss()
    model.train()
    for step in range(2):
        optimizer.zero_grad()
        categ, cont, cat_mask, con_mask, _ = batch(step)
        _, first, first_cont = embed_data_mask(categ, cont, cat_mask, con_mask, model)
        _, second, second_cont = embed_data_mask(categ, cont * 0.5, cat_mask, con_mask, model)
        one, two = (model.transformer(*v) for v in ((first, first_cont), (second, second_cont)))
        one, two = ((v / v.norm(dim=-1, keepdim=True)).flatten(1, 2) for v in (one, two))
        logits = model.pt_mlp(one) @ model.pt_mlp2(two).t() / 0.7
        loss = 0.5 * cross(logits, torch.arange(logits.size(0)))
        cat_outs, con_outs = model(second, second_cont)
        loss += 10 * squares(torch.cat(con_outs, dim=1), cont)
        for j in range(1, categ.shape[-1]):
            loss += cross(cat_outs[j], categ[:, j])
        loss.backward()
        optimizer.step()
        say(f"{style} pretrain {step}", loss.item())
    for step in range(2):
        optimizer.zero_grad()
        categ, cont, cat_mask, con_mask, label = batch(step + 9)
        _, encoded, encoded_cont = embed_data_mask(categ, cont, cat_mask, con_mask, model)
        out = model.mlpfory(model.transformer(encoded, encoded_cont)[:, 0, :])
        loss = cross(out, label)
        loss.backward()
        optimizer.step()
        say(f"{style} fit {step}", loss.item(), *out[0])
    keep(style, model)
    model.eval()
    with torch.no_grad():
        _, encoded, encoded_cont = embed_data_mask(*batch(30)[:4], model)
        probability = torch.softmax(model.mlpfory(model.transformer(encoded, encoded_cont)[:, 0, :]), dim=1)
        say(f"{style} eval", *probability[:, 1], *torch.argmax(probability, 1))
    noisy = add_noise(*batch(1)[:2], noise_params={"noise_type": ["cutmix"], "lambda": 0.1})
    mixed = mixup_data(encoded, encoded_cont, 0.7, use_cuda=False)
    say(f"{style} shapes", *noisy[0].shape, *noisy[1].shape, *mixed[0].shape)


for style in ("col", "colrow"):
    run(style)
