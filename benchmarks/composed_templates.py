"""Statements and expressions for composed.py. A hole in braces is filled by the name of a value of that kind, or by a drawn number.

Kinds: f floating tensor, M floating matrix, B floating tensor of three axes, v floating vector, i tensor of int64, b tensor of bool, t any tensor, n Python's int,
x Python's float, l list or tuple of tensors; drawn numbers: d axis, k small number, c number with a fraction.
"""

EXPRESSIONS = """
{f} + {f}
{f} - {f} * {c}
{f} * {f}
{f} / ({f}.abs() + 1)
{f} ** 2
2 ** {f}.clamp(-2, 2)
{c} - {f}
1 / (1 + {f}.exp())
{f} // 2
{f} % {c}
-{f}
abs({f})
{f} @ {f}
{f} + {i}
{f} * {b}
{i} + {i}
{i} * {k}
{i} // 2
{i} % 3
{i} / 2
{i} ** 2
{i} + {c}
{i} & 3
{i} | {i}
{i} << 1
~{b}
{b} & {b}
{b} | ({f} > 0)
{b} ^ {b}
{b} + {b}
{b} * {i}
{b}.float() - {f}
{b}.sum()
{b}.any()
{b}.all({d})
{b}.float().mean()
{f} > {f}
{f} >= {c}
{f} == {f}
{i} == {k}
{i} != {i}
{i} < {f}
torch.where({b}, {f}, {f})
torch.where({f} > 0, {f}, {c})
torch.where({b}, {i}, {k})
torch.where({i} > 0)
{f}.sum()
{f}.sum({d})
{f}.sum(dim={d}, keepdim=True)
{f}.mean()
{f}.mean(dim={d})
{f}.mean((0, 1))
{f}.var({d}, unbiased=False)
{f}.std()
{f}.norm()
{f}.norm(dim={d}, keepdim=True)
torch.linalg.norm({f}, dim={d})
{f}.max()
{f}.max({d})
{f}.max(dim={d})[0]
{f}.min(dim={d}).indices
{f}.max(dim={d}).values
{f}.amax({d}, keepdim=True)
{f}.argmax()
{f}.argmax({d})
{f}.argmin(dim={d}, keepdim=True)
torch.max({f}, {f})
torch.minimum({f}, {f})
torch.max({f}, dim={d})
{f}.sort({d})
{f}.sort(descending=True)[1]
{f}.argsort({d})
{f}.topk(2)
{f}.topk(1, dim={d}, largest=False)[0]
{f}.kthvalue(1, {d})
{f}.median()
{f}.median({d})
{f}.cumsum({d})
{f}.cumprod({d})
{i}.cumsum(0)
{f}.prod()
{f}.prod({d})
{i}.sum({d})
{i}.max()
{i}.float().mean({d})
{i}.prod()
{i}.min({d})
{i}.bincount()
{i}.unique()
torch.unique({i}, return_counts=True)
torch.unique({i}, return_inverse=True)[1]
{i}.sort()[0]
{i}.flip(0)
{f}.flip({d})
{f}.roll(1, {d})
{f}.softmax({d})
torch.softmax({f}, dim={d})
F.log_softmax({f}, dim={d})
F.softmax({f} / 2, -1)
torch.logsumexp({f}, {d})
torch.sigmoid({f})
{f}.tanh()
{f}.exp()
{f}.abs().log1p()
({f}.abs() + 1e-3).sqrt()
{f}.abs().rsqrt()
torch.log({f} ** 2 + 1)
{f}.sin() + {f}.cos()
torch.atan2({f}, {f})
{f}.clamp(min=0)
{f}.clamp(-1, 1)
torch.clamp({f}, max={c})
{f}.round()
{f}.floor()
{f}.trunc()
{f}.sign()
{f}.relu()
F.relu({f})
F.gelu({f})
F.leaky_relu({f}, 0.1)
F.elu({f})
F.silu({f})
F.softplus({f})
F.hardtanh({f})
F.normalize({f}, dim={d})
F.normalize({f})
F.layer_norm({f}, {f}.shape[-1:])
F.one_hot({i}.abs() % 4, 4)
F.one_hot({i}.clamp(0, 2))
F.pad({f}, (1, 0))
F.pad({f}, (1, 2), value=1.5)
F.mse_loss({f}, {f})
F.l1_loss({f}, {f}, reduction="sum")
F.smooth_l1_loss({f}, {f})
F.cross_entropy({M}, {i}.abs() % {M}.size(1))
F.cross_entropy({M}, {M}.argmax(1), reduction="none")
F.nll_loss(F.log_softmax({M}, 1), {M}.argmin(1))
F.binary_cross_entropy_with_logits({f}, ({f} > 0).float())
F.binary_cross_entropy(torch.sigmoid({f}), {b}.float())
F.kl_div({f}.log_softmax(-1), {f}.softmax(-1), reduction="batchmean")
F.cosine_similarity({f}, {f}, dim={d})
F.linear({f}, {M})
F.embedding({i}.abs() % {M}.shape[0], {M})
F.dropout({f}, 0.5, training=False)
F.avg_pool1d({B}, 2)
F.max_pool1d({B}, 2)
F.interpolate({B}, scale_factor=2)
F.interpolate({B}, size=5, mode="linear", align_corners=False)
F.adaptive_avg_pool1d({B}, 1)
F.conv1d({B}, {B})
torch.matmul({f}, {f}.transpose(-1, -2))
{M}.mm({M}.t())
{M} @ {v}
{v} @ {v}
{v}.dot({v})
torch.outer({v}, {v})
{v}.unsqueeze(1) - {v}.unsqueeze(0)
{v}[:, None] * {v}
{v}[None]
torch.bmm({B}, {B}.transpose(1, 2))
torch.einsum("ij,ij->i", {M}, {M})
torch.einsum("ij,kj->ik", {M}, {M})
torch.einsum("bij,bkj->bik", {B}, {B})
torch.einsum("i,j->ij", {v}, {v})
torch.cdist({M}, {M})
torch.cross({M}, {M}, dim=-1)
torch.tril({M})
torch.triu({M}, diagonal=1)
torch.diag({v})
torch.diag({M})
{M}.diagonal()
{M}.trace()
{M}.t()
{M}.T
{f}.transpose(0, 1)
{f}.transpose(-1, -2)
{B}.permute(2, 0, 1)
{B}.permute(1, 0, 2).contiguous()
{f}.reshape(-1)
{f}.view(-1)
{f}.flatten()
{f}.flatten(1)
{f}.view({f}.size(0), -1)
{f}.reshape({f}.shape[0], 1, -1)
{f}.unsqueeze({d})
{f}.unsqueeze(-1)
{f}.squeeze()
{f}.squeeze({d})
{f}.unsqueeze(0).expand(2, *{f}.shape)
{f}.expand(2, -1, -1)
{f}.repeat(2, 1)
{f}.repeat(1, 2, 1)
{f}.repeat_interleave(2, dim={d})
{f}.expand_as({f})
{f}.view_as({f})
{f}.chunk(2, {d})
{f}.split(1, {d})
{f}.split([1, {f}.size(0) - 1])
{f}.unbind({d})
torch.cat([{f}, {f}], {d})
torch.cat([{f}, {i}])
torch.cat(({f}, {f}), dim=-1)
torch.stack([{f}, {f}], dim={d})
torch.stack({l})
torch.cat({l}, -1)
torch.cat([p.flatten() for p in {l}])
[p * 2 for p in {l}]
[p.sum() for p in {l}]
sum(p.sum() for p in {l})
{l}[0]
{l}[-1]
len({l})
sum({l})
{f}[0]
{f}[-1]
{f}[:, 0]
{f}[..., -1]
{f}[1:]
{f}[:-1]
{f}[:, 1:] - {f}[:, :-1]
{f}[::2]
{f}[:, ::2]
{f}[None]
{f}[..., None]
{f}[{f} > 0]
{f}[{b}]
{f}[{i}.abs() % {f}.shape[0]]
{f}[:, {i}.abs() % 2]
{f}[[0, 1]]
{f}[[0, -1], [1, 0]]
{f}[torch.arange({f}.size(0)), {f}.argmax(-1)]
{f}[range(2)]
{f}[{n}]
{f}[:{n}]
{f}[{i}[0]]
{i}[{i} > 0]
{i}[0]
{i}[-1].item()
{f}.gather({d}, {f}.argsort({d}))
{M}.gather(1, {M}.argmax(1, keepdim=True))
{M}.gather(1, ({i}.abs() % 2).view(-1, 1))
torch.gather({f}, -1, {f}.argmin(-1, keepdim=True)).squeeze(-1)
{f}.index_select({d}, torch.tensor([0, 1]))
torch.index_select({f}, 0, {i}.abs() % {f}.shape[0])
{f}.masked_fill({b}, 0)
{f}.masked_fill({f} < 0, float("-inf")).softmax(-1)
{f}.masked_fill({f} < 0, -1e9).softmax(-1)
{f}.masked_select({f} > 0)
torch.zeros(4).scatter_add(0, {i}.abs() % 4, {v})
torch.zeros_like({M}).scatter(1, {M}.argmax(1, keepdim=True), 1.0)
torch.zeros(5, {M}.size(1)).index_add(0, {i}.abs() % 5, {M})
{f}.new_zeros(2, 3)
{f}.new_tensor([1.0, 2.0])
{f}.new_full((2,), {c})
torch.zeros_like({f})
torch.ones_like({f}, dtype=torch.long)
torch.full_like({f}, {c})
torch.full({f}.shape, {c})
torch.zeros({f}.shape[0], {k} + 1)
torch.ones({f}.size())
torch.arange({n})
torch.arange({f}.size(0), dtype=torch.float32)
torch.arange(0, {n}, 2)
torch.linspace(0, 1, {f}.size(-1))
torch.eye({f}.shape[-1])
torch.tensor({n})
torch.tensor([{n}, {k}])
torch.tensor({x})
torch.tensor([{x}, 1.0], dtype=torch.float64)
torch.as_tensor([{k}, 2])
{f}.nonzero()
{b}.nonzero().squeeze(-1)
torch.nonzero({f} > 0, as_tuple=True)
torch.nonzero({f} > 0, as_tuple=True)[0]
torch.argwhere({b})
{f}.isnan().any()
torch.isfinite({f}).all()
torch.allclose({f}, {f})
torch.equal({f}, {f})
{f}.long()
{f}.int()
{f}.to(torch.int64)
{f}.double()
{f}.half().float()
{f}.bool()
{f}.to(torch.float64)
{f}.to({f}.dtype)
{f}.type_as({f})
{f}.type(torch.FloatTensor)
{i}.float()
{i}.to({f})
{i}.bool()
{i}.double() / 3
{b}.long()
{b}.int()
{b}.to({f}.dtype)
{f}.detach()
{f}.detach() * {f}
{f}.clone()
{f}.data
{f}.detach().clone()
{f}.contiguous()
{f}.cpu()
{f}.requires_grad_(False)
{f}.numpy().sum()
{f}.detach().numpy()
{f}.detach().cpu().numpy().mean(axis=0)
torch.from_numpy({f}.detach().numpy() * 2)
torch.from_numpy(np.array([1.0, 2.0]))
torch.tensor(np.float32(1.5))
np.asarray({i}).tolist()
{f}.tolist()
{i}.tolist()
{f}.sum().item()
{i}.sum().item()
float({f}.mean())
int({i}.max())
bool({b}.any())
{f}.shape
{f}.size(0)
{f}.shape[-1]
{f}.size()
list({f}.shape)
{f}.dim()
{f}.ndim
{f}.numel()
{f}.dtype
{f}.is_floating_point()
len({f})
tuple({f}.shape[:-1])
{f}.shape[0] * {k}
{f}.size(-1) ** 0.5
{f}.size(-1) // 2
{n} + {k}
{n} * 2
{n} / 2
{n} % 2 == 0
{x} * 2
max({n}, {k})
{x} + {f}
{n} * {f}
{f} * {n} + {x}
round({x}, 2)
math.sqrt({n} + 1)
f"{{{n}}}-{{{x}:.2f}}"
f"{{{f}.mean().item():.3f}} {{tuple({f}.shape)}}"
[{f}, {f}]
({f}, {i})
list({f}.unbind(0))
[row for row in {M}]
[float(e) for e in {v}]
{{"a": {f}, "b": {i}}}["a"]
torch.max(torch.stack([{f}, {f}]), dim=0)[0]
torch.meshgrid(torch.arange({k} + 1), torch.arange(2), indexing="ij")[0]
torch.stack(torch.meshgrid({v}, {v}, indexing="xy"), -1)
torch.combinations(torch.arange(4), 2)
torch.cartesian_prod(torch.arange(2), torch.arange(3))
torch.tril_indices(3, 3)
torch.lerp({f}, {f}, 0.3)
torch.addmm({v}, {M}, {M})
torch.addcmul({f}, {f}, {f}, value=0.5)
torch.baddbmm({B}, {B}, {B})
torch.quantile({f}, 0.5)
torch.quantile({f}, 0.25, dim={d})
torch.histc({f}, bins=4, min=-1, max=1)
torch.bucketize({f}, torch.tensor([-1.0, 0.0, 1.0]))
torch.searchsorted({v}.sort()[0], {v})
torch.logical_and({b}, {f} > 0)
torch.logical_not({i})
torch.nan_to_num({f} / 0)
torch.heaviside({f}, torch.tensor(0.5))
torch.fmod({f}, 1.0)
torch.remainder({i}, 3)
torch.div({f}, 2, rounding_mode="floor")
torch.div({i}, 2, rounding_mode="trunc")
torch.true_divide({i}, 2)
torch.floor_divide({i}, 2)
torch.pow({f}, 2)
torch.pow(2, {i}.clamp(0, 3))
torch.square({f})
torch.diff({f}, dim={d})
torch.movedim({B}, 0, -1)
torch.rot90({M})
torch.kron({M}, {M})
torch.vstack([{f}, {f}])
torch.hstack([{f}, {f}])
torch.broadcast_tensors({f}, {f})
torch.broadcast_to({v}, (2, {v}.shape[0]))
torch.tensor_split({f}, 2, dim={d})
torch.count_nonzero({f}, dim={d})
torch.std_mean({f}, dim={d})
torch.linalg.inv({M} @ {M}.t() + torch.eye({M}.shape[0]))
torch.linalg.det({M} @ {M}.t() + torch.eye({M}.shape[0]))
torch.linalg.solve({M} @ {M}.t() + torch.eye({M}.shape[0]), {M})
{f}.unfold({d}, 2, 1)
F.unfold({B}.unsqueeze(1), 2)
F.pixel_shuffle({B}.repeat(2, 1, 1)[:4].unsqueeze(0), 2)
F.scaled_dot_product_attention({B}, {B}, {B})
F.grid_sample({B}.unsqueeze(0), torch.zeros(1, 2, 2, 2), align_corners=False)
"""

STATEMENTS = """
{f} += 1
{f} += {f}
{f} -= {f}.mean()
{f} *= {c}
{f} *= {f}
{f} /= 2
{i} += 1
{i} *= {k}
{i} += {i}
{i} -= {n}
{n} += 1
{n} += {f}.size(0)
{x} += {f}.sum().item()
{x} /= {n}
{b} |= {f} > 0
{b} &= {b}
{f}[0] = 1
{f}[0] = {f}[-1]
{f}[:, 0] = {c}
{f}[..., 0] += 1
{f}[1:] = {f}[:-1]
{f}[{f} < 0] = 0
{f}[{b}] = {c}
{f}[{b}] *= 2
{f}[{i}.abs() % 2] = 5.0
{f}[[0, 1]] = {c}
{f}[-1] *= 2
{f}[0, 1] = {x}
{f}[:2, :2] = {f}[:2, :2].t()
{i}[0] = {k}
{i}[{i} > 1] = 0
{i}[-1] += 1
{f}.add_({f})
{f}.mul_({c})
{f}.zero_()
{f}.fill_({c})
{f}.clamp_(-1, 1)
{f}.copy_({f})
{f}.masked_fill_({b}, 0.5)
{f}.sub_({f}.mean({d}, keepdim=True))
{f}.div_({f}.norm() + 1)
{f}.relu_()
{f}.exp_()
{f}.neg_()
{f}.sqrt_()
{f}.t_()
{f}.unsqueeze_(0)
{f}.squeeze_(0)
{f}.transpose_(0, 1)
{i}.add_(1)
{i}.fill_({k})
{f}.scatter_(0, {i}.abs() % 2, {c})
{f}.scatter_(-1, {f}.argmax(-1, keepdim=True), 9.0)
{v}.scatter_add_(0, {i}.abs() % {v}.size(0), {v}.clone())
{f}.index_add_(0, torch.tensor([0, 0]), {f}[:2].clone())
{f}.index_fill_({d}, torch.tensor([0]), {c})
{f}.index_copy_(0, torch.tensor([1]), {f}[:1].clone())
{f}.addcmul_({f}, {f}, value=0.1)
{f}.lerp_({f}, 0.5)
{f}.view(-1)[0] = 7
{f}.view(-1).add_(1)
{f}[0].add_(1)
{f}[:, 0].zero_()
{f}.t()[0] = 3
{f}.data.add_(1)
{f}.data[0] = 2
{f}.data = {f}.clone() * 2
{f}.detach().mul_(0.5)
{f}.requires_grad_()
{l}.append({f})
{f}.fill_diagonal_(0)
torch.nn.init.constant_({f}, {c})
torch.add({f}, {f}, out={f})
torch.clamp({f}, -1, 1, out={f})
del {n}
{f} = {f}.transpose(0, 1)
{f} = {f} * 2 if {n} > 2 else {f} + 1
{f} = {f}.reshape(-1)[: {n} + 1]
{f}, {f} = {f}, {f}
assert {f}.dim() >= 0
{f} = F.relu({f}, inplace=True)
F.relu_({f})
"""
