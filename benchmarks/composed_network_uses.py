"""What people do with a network: trained, looked into, copied, saved, cut, frozen, differentiated. For composed_networks.py.

Each is text that finds `net`, `X`, `Y` (labels of three classes) and `outcome`, a list.
"""

HEAD = "import copy\nimport io\nimport math\nfrom collections import OrderedDict, defaultdict\nfrom functools import partial\n\nimport numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
USES = {
    "trained": """opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
net.train()
for step in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(net(X), Y)
    loss.backward()
    opt.step()
    outcome.append(loss.item())""",
    "trained in halves": """optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.02)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
for epoch in range(2):
    optimizer.zero_grad()
    for xb, yb in zip(X.chunk(2), Y.chunk(2)):
        loss = nn.CrossEntropyLoss()(net(xb), yb) / 2
        loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    outcome.append((loss.item(), scheduler.get_last_lr()[0]))""",
    "function of a step": """def train_step(model, batch, optimizer, criterion=nn.CrossEntropyLoss(label_smoothing=0.1)):
    model.train()
    x, y = batch
    logits = model(x)
    loss = criterion(logits, y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    acc = (logits.argmax(-1) == y).float().mean()
    return {"loss": loss.detach(), "acc": acc.item()}


optim = torch.optim.AdamW(net.parameters(), lr=1e-3, eps=1e-4, weight_decay=0.01)
history = defaultdict(list)
for _ in range(3):
    for key, value in train_step(net, (X, Y), optim).items():
        history[key].append(float(value))
outcome.append(dict(history))""",
    "gradients": """net.zero_grad()
out = net(X)
(out * torch.arange(1.0, out.numel() + 1).view_as(out)).sum().backward()
outcome.append([p.grad.reshape(-1) if p.grad is not None else None for p in net.parameters()])
net.zero_grad()""",
    "saliency": """net.eval()
image = X.clone().requires_grad_(True)
score = net(image).max(dim=1)[0].sum()
score.backward()
outcome.append(image.grad.abs())""",
    "grad by autograd": """inputs = X.clone().requires_grad_()
logits = net(inputs)
(g,) = torch.autograd.grad(F.cross_entropy(logits, Y), inputs)
outcome.append(g)
adversarial = (inputs + 0.1 * g.sign()).detach()
with torch.no_grad():
    outcome.append(net(adversarial).sum(0))""",
    "evaluated": """net.eval()
with torch.no_grad():
    logits = net(X)
    probs = F.softmax(logits, dim=1)
    top, which = probs.topk(2, dim=1)
outcome += [logits, top, (which[:, 0] == Y).sum().item()]
net.train()""",
    "inference function": """@torch.no_grad()
def predict(model, x, batch_size=2):
    was_training = model.training
    model.eval()
    outs = [model(x[i:i + batch_size]).softmax(-1) for i in range(0, len(x), batch_size)]
    model.train(was_training)
    return torch.cat(outs).cpu().numpy()


p = predict(net, X)
outcome.append(p.round(3).sum(axis=1))
outcome.append(torch.from_numpy(p))""",
    "hooked": """features = {}


def save(name):
    def hook(module, inputs, output):
        features[name] = output.detach()
    return hook


handles = [m.register_forward_hook(save(n)) for n, m in net.named_children()]
_ = net(X)
for h in handles:
    h.remove()
outcome.append({k: v.float().mean().item() for k, v in features.items() if isinstance(v, torch.Tensor)})""",
    "hooks of linear layers": """activations = []
hooks = []
for name, module in net.named_modules():
    if isinstance(module, (nn.Linear, nn.Conv2d)):
        hooks.append(module.register_forward_hook(lambda m, i, o: activations.append(o.std().item())))
net.eval()
with torch.no_grad():
    net(X)
[h.remove() for h in hooks]
net.train()
outcome.append(activations)""",
    "saved": """buffer = io.BytesIO()
torch.save({"state_dict": net.state_dict(), "epoch": 3}, buffer)
buffer.seek(0)
checkpoint = torch.load(buffer, map_location="cpu")
clone = Net()
clone.load_state_dict(checkpoint["state_dict"])
clone.eval()
net.eval()
outcome.append((clone(X) - net(X)).abs().max().item() < 1e-6)
net.train()""",
    "renamed keys": """state = OrderedDict(("module." + k, v * 0.5) for k, v in net.state_dict().items() if v.is_floating_point())
stripped = {k[len("module."):]: v for k, v in state.items()}
other = Net()
result = other.load_state_dict(stripped, strict=False)
outcome.append(len(result.unexpected_keys))
other.eval()
outcome.append(other(X).detach())""",
    "copied": """ema = copy.deepcopy(net)
for param in ema.parameters():
    param.detach_()
optimizer_e = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(X).pow(2).mean()
    optimizer_e.zero_grad()
    loss.backward()
    optimizer_e.step()
    for pe, p in zip(ema.parameters(), net.parameters()):
        pe.data.mul_(0.5).add_(0.5 * p.data)
outcome.append([p.reshape(-1) for p in ema.parameters()])""",
    "frozen": """for name, p in net.named_parameters():
    p.requires_grad = name.startswith(("head", "fc", "classifier", "body"))
trainable = [n for n, p in net.named_parameters() if p.requires_grad]
opt_f = torch.optim.Adam(filter(lambda p: p.requires_grad, net.parameters()), lr=0.01)
loss = F.cross_entropy(net(X), Y)
loss.backward()
opt_f.step()
outcome += [len(trainable), loss.item()]
for p in net.parameters():
    p.requires_grad_(True)""",
    "groups": """slow, fast = [], []
for n, p in net.named_parameters():
    (slow if p.ndim > 1 else fast).append(p)
opt_g = torch.optim.SGD([{"params": slow}, {"params": fast, "lr": 0.1, "weight_decay": 0.0}], lr=0.01, weight_decay=1e-2)
for i in range(2):
    for group in opt_g.param_groups:
        group["lr"] *= 0.9
    opt_g.zero_grad()
    loss = F.nll_loss(F.log_softmax(net(X), -1), Y, reduction="sum")
    loss.backward()
    opt_g.step()
outcome.append([g["lr"] for g in opt_g.param_groups])""",
    "penalty": """x_in = X.clone().requires_grad_(True)
pred = net(x_in)
grads = torch.autograd.grad(outputs=pred, inputs=x_in, grad_outputs=torch.ones_like(pred), create_graph=True, retain_graph=True)[0]
gp = ((grads.flatten(1).norm(2, dim=1) - 1) ** 2).mean()
total = F.cross_entropy(pred, Y) + 0.1 * gp
net.zero_grad()
total.backward()
outcome.append([gp.item()] + [p.grad.abs().sum().item() for p in net.parameters() if p.grad is not None])
net.zero_grad()""",
    "distilled": """teacher = copy.deepcopy(net).eval()
T = 2.0
student_opt = torch.optim.SGD(net.parameters(), lr=0.05)
for _ in range(2):
    with torch.no_grad():
        t_logits = teacher(X * 0.9)
    s_logits = net(X)
    soft = -(F.softmax(t_logits / T, dim=1) * F.log_softmax(s_logits / T, dim=1)).sum(1).mean() * T * T
    loss = 0.5 * soft + 0.5 * F.cross_entropy(s_logits, Y)
    student_opt.zero_grad()
    loss.backward()
    student_opt.step()
    outcome.append(loss.item())""",
    "counted": """n_params = sum(p.numel() for p in net.parameters())
by_child = {n: sum(p.numel() for p in m.parameters()) for n, m in net.named_children()}
outcome += [n_params, by_child, sorted(n for n, _ in net.named_parameters()), len(list(net.modules()))]""",
    "initialised": """def init_weights(m):
    if isinstance(m, (nn.Linear, nn.Conv2d)):
        nn.init.constant_(m.weight, 0.05)
        if m.bias is not None:
            m.bias.data.fill_(0.01)
    elif isinstance(m, (nn.BatchNorm2d, nn.LayerNorm, nn.GroupNorm)) and m.weight is not None:
        nn.init.ones_(m.weight)
        nn.init.zeros_(m.bias)


net.apply(init_weights)
outcome.append(net(X).detach())""",
    "norms": """loss = F.cross_entropy(net(X), Y)
loss.backward()
total_norm = torch.norm(torch.stack([torch.norm(p.grad.detach(), 2) for p in net.parameters() if p.grad is not None]), 2)
clip = 0.5 / (total_norm + 1e-6)
for p in net.parameters():
    if p.grad is not None:
        p.grad.detach().mul_(clip.clamp(max=1.0))
outcome += [total_norm.item(), [p.grad.sum().item() for p in net.parameters() if p.grad is not None]]
net.zero_grad()""",
    "backward hook": """norms = []
handle = list(net.children())[-1].register_full_backward_hook(lambda m, gi, go: norms.append(go[0].norm().item()))
F.cross_entropy(net(X), Y).backward()
handle.remove()
outcome.append(norms)
net.zero_grad()""",
    "mixed up": """lam = 0.3
index = torch.tensor([1, 0] + list(range(2, X.size(0))))
mixed_x = lam * X + (1 - lam) * X[index, :]
y_a, y_b = Y, Y[index]
output = net(mixed_x)
loss = lam * F.cross_entropy(output, y_a) + (1 - lam) * F.cross_entropy(output, y_b)
loss.backward()
with torch.no_grad():
    for p in net.parameters():
        if p.grad is not None:
            p -= 0.01 * p.grad
            p.grad = None
outcome.append(loss.item())""",
    "averaged": """models = [copy.deepcopy(net) for _ in range(2)]
with torch.no_grad():
    for p in models[1].parameters():
        p.mul_(1.1)
soup = {k: sum(m.state_dict()[k].float() for m in models) / len(models) for k in models[0].state_dict() if "num_batches" not in k}
net.load_state_dict(soup, strict=False)
net.eval()
outcome.append(torch.stack([m.eval()(X) for m in [net, *models]]).mean(0).detach())
net.train()""",
    "functional": """params = dict(net.named_parameters())
buffers = dict(net.named_buffers())
net.eval()
scaled = {k: v * 0.9 for k, v in params.items()}
outcome.append(torch.func.functional_call(net, (scaled, buffers), (X,)).detach())
net.train()""",
    "unrolled": """fast = OrderedDict((n, p) for n, p in net.named_parameters())
net.eval()
inner = F.cross_entropy(torch.func.functional_call(net, fast, (X,)), Y)
inner_grads = torch.autograd.grad(inner, list(fast.values()), allow_unused=True)
fast = {n: p if g is None else p - 0.1 * g for (n, p), g in zip(fast.items(), inner_grads)}
outcome.append(F.cross_entropy(torch.func.functional_call(net, fast, (X,)), Y).item())
net.train()""",
    "replaced activations": """def replace(module):
    for name, child in module.named_children():
        if isinstance(child, (nn.ReLU, nn.GELU, nn.Tanh)):
            setattr(module, name, nn.SiLU())
        else:
            replace(child)


replace(net)
outcome.append(net(X).detach().sum(1))""",
    "accumulated": """net.zero_grad()
for i in range(2):
    (net(X).logsumexp(dim=1).mean() * (i + 1)).backward()
outcome.append([float(p.grad.norm()) for p in net.parameters() if p.grad is not None])
net.zero_grad()""",
    "checked": """def flat_grad(y, params):
    grads = torch.autograd.grad(y, params, retain_graph=True, allow_unused=True)
    return torch.cat([(torch.zeros_like(p) if g is None else g).reshape(-1) for p, g in zip(params, grads)])


net.eval()
weights = [p for p in net.parameters() if p.requires_grad]
y = net(X)
outcome.append(flat_grad(y[:, 0].sum(), weights))
outcome.append(flat_grad(y[:, 1].mean(), weights).norm().item())
net.train()""",
}
