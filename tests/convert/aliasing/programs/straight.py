"""In-place operations on local tensors, their other names and their views. Each function gives all it has back."""

import torch
import torch.nn.functional as F


def fresh(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    x.add_(1)
    x.mul_(b)
    return x


def chain(a: torch.Tensor, b: torch.Tensor):
    x = a.clone()
    x.zero_().add_(b).mul_(2)
    return x


def chain_that_reads_itself(a: torch.Tensor, b: torch.Tensor):
    x = a.clone()
    x.sub_(x.min()).div_(x.max() + 1)
    y = b * 1
    y = y.mul_(2).add_(y).clamp_(max=y.mean())
    z = a + b
    z.mul_(2).div_(z.numel()).add_(z.new_tensor(1.0))
    return x, y, z


def chain_that_reads_what_holds_a_part(a: torch.Tensor, b: torch.Tensor):
    x = a.clone()
    x[0].add_(1).div_(x.sum() + 9)
    return x


def chain_of_result(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    y = x.mul_(2).add_(b)
    return y


def both_names(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    y = x.add_(b)
    return x, y


def second_name(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    y = x
    x.add_(b)
    return x, y


def second_name_augmented(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    y = x
    x += b
    x *= 2
    return x, y


def second_name_rebound(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    y = x
    x = x + 1
    x += b
    return x, y


def augmented_fresh(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    x += a
    x -= 0.5
    x *= b
    x /= 2
    return x


def row(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    r = x[0]
    r.add_(b[1])
    return x, r


def row_augmented(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    r = x[1]
    r += b[0]
    r *= 2
    return x, r


def columns(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    c = x[:, 1:]
    c.mul_(3)
    return x, c


def flat(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    f = x.view(-1)
    f.add_(1)
    return x, f


def flat_masked(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    f = x.view(-1)
    f[f > 2] = 0
    return x, f


def base_changed(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    f = x.view(-1)
    r = x[0]
    x.add_(b)
    return x, f, r


def base_item(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    f = x.view(3, 2)
    x[0] = b[1]
    return x, f


def base_masked(a: torch.Tensor, b: torch.Tensor):
    x = a * 2
    r = x[1]
    x[x > 5] = 0
    return x, r


def siblings(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    f = x.view(-1)
    r = x[1]
    f.mul_(2)
    return x, f, r


def view_of_view(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    r = x[1]
    s = r[1:]
    s.add_(10)
    return x, r, s


def transposed(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    t = x.t()
    t.add_(1)
    return x, t


def transposed_attribute(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    t = x.T
    t[0] = 7
    return x, t


def transposed_axes(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    t = x.transpose(0, 1)
    t *= 2
    return x, t


def view_alone(a: torch.Tensor, b: torch.Tensor):
    x = (a + b).view(-1)
    x.add_(1)
    return x


def dead_base(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    x = x.view(-1)
    x += 1
    x.mul_(2)
    return x


def assigned_item(a: torch.Tensor, b: torch.Tensor):
    x = torch.zeros(2, 3)
    x[0] = a[0]
    x[1, 1:] = b[0, :2]
    x[:, 0] += 1
    return x


def assigned_loop(a: torch.Tensor, b: torch.Tensor):
    x = torch.zeros(2, 3)
    for i in range(3):
        x[:, i] = a[:, i] * b[:, 2 - i]
    return x


def masked(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    mask = b > 0
    x[mask] = b[mask] * 2
    x[~mask] = 0
    return x


def masked_fill(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    x.masked_fill_(b > 0, -1.0)
    return x


def clamped(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    x.clamp_(min=-1, max=2)
    return x


def clamp_minimum(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    y = x.clamp_min_(0.5)
    return y


def item_method(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    x[0].mul_(2)
    x[:, 1].fill_(4)
    return x


def item_of_item(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    x[0][1] = 9
    x[1][1:] += b[0, :2]
    return x


def out_argument(a: torch.Tensor, b: torch.Tensor):
    c = torch.empty(2, 3)
    torch.add(a, b, out=c)
    d = c
    torch.mul(c, 2, out=d)
    return c, d


def inplace_relu(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    y = F.relu(x, inplace=True)
    return y


def inplace_relu_read(a: torch.Tensor, b: torch.Tensor):
    x = a + b - 3
    y = F.relu(x, inplace=True)
    return x + y


def inplace_relu_statement(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    F.relu(x, inplace=True)
    return x


def relu_method(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    return x.relu_()


def relu_function(a: torch.Tensor, b: torch.Tensor):
    x = a * b
    torch.relu_(x)
    return x


def unsqueezed(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    x.unsqueeze_(0)
    return x, x.shape[0]


def squeezed(a: torch.Tensor, b: torch.Tensor):
    x = (a + b)[:1]
    x.squeeze_(0).add_(1)
    return x


def transposed_in_place(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    x.t_()
    return x


def shape_of_second_name(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    y = x
    x.unsqueeze_(0)
    return x, y


def branches(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    y = x
    if x.shape[0] > 1:
        y = b * 2
    y += 1
    return x, y


def branches_other(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    if x.shape[0] > 5:
        y = x
    else:
        y = x.clone()
    y.mul_(3)
    return x, y


def loop_sum(a: torch.Tensor, b: torch.Tensor):
    total = torch.zeros(3)
    for i in range(2):
        total += a[i] * b[i]
    return total


def loop_kept(a: torch.Tensor, b: torch.Tensor):
    state = a[0] * 1
    states = []
    for i in range(2):
        state += b[i]
        states.append(state)
    return states[0], states[1], state


def loop_cloned(a: torch.Tensor, b: torch.Tensor):
    state = a[0] * 1
    states = []
    for i in range(2):
        state = state + b[i]
        states.append(state)
    return torch.stack(states)


def rows(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    for r in x:
        r.mul_(2)
    return x


def swapped(a: torch.Tensor, b: torch.Tensor):
    x, y = a * 1, b * 1
    x, y = y, x
    x.add_(1)
    return x, y


def swapped_alias(a: torch.Tensor, b: torch.Tensor):
    x, y = a * 1, b * 1
    z = x
    x, y = y, x
    y.add_(1)
    return x, y, z


def copied(a: torch.Tensor, b: torch.Tensor):
    x = torch.zeros(2, 3)
    x.copy_(a)
    x.add_(1)
    return x, a


def copied_row(a: torch.Tensor, b: torch.Tensor):
    x = torch.zeros(2, 3)
    x[0].copy_(a[1])
    return x, a


def detached(a: torch.Tensor, b: torch.Tensor):
    x = a * 2
    d = x.detach()
    y = d + 1
    y.mul_(2)
    return x, y


def detached_changed(a: torch.Tensor, b: torch.Tensor):
    x = a * 2
    d = x.detach()
    d.mul_(0)
    return x, d


def scattered(a: torch.Tensor, b: torch.Tensor):
    x = torch.zeros(2, 3)
    index = torch.tensor([[0, 1, 0], [1, 0, 1]])
    x.scatter_(0, index, b)
    x.scatter_add_(0, index, a)
    return x


def index_put(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    x.index_put_((torch.tensor([0, 1]), torch.tensor([2, 0])), torch.tensor([7.0, 8.0]))
    x.index_fill_(1, torch.tensor([1]), -1.0)
    return x


def in_expression(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    y = x.add_(1) * b
    return y


def in_expression_read(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    y = x.add_(1) + b
    return x, y


def read_before_in_expression(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    y = x + x.add_(1)
    return y


def contiguous(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    y = x.contiguous()
    y.add_(1)
    return y


def reshaped_same(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    y = x.reshape(2, 3)
    y += 1
    return x, y


def chunks(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    left, right = x.chunk(2, dim=1)
    left.add_(1)
    return x, left, right


def chunks_used(a: torch.Tensor, b: torch.Tensor):
    left, right = (a + b).split(1)
    left = left * 2
    left += right
    return left, right


def expanded(a: torch.Tensor, b: torch.Tensor):
    x = torch.zeros(3)
    x += a[0]
    y = x.expand(2, 3)
    z = y + b
    z.add_(y)
    return x, z


def random_filled(a: torch.Tensor, b: torch.Tensor):
    x = torch.empty(2, 3).uniform_(0, 1)
    y = torch.empty_like(a).fill_(2.0)
    y.add_(b)
    return y, x.shape[0]
