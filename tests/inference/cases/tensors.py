import torch
import torch.nn.functional as F
from torch import Tensor

x = torch.randn(2, 3)
#? Tensor
x
#? Tensor[float16]
torch.zeros(3, dtype=torch.float16)
#? Tensor
torch.zeros(3, dtype=some)
#? torch.Size[int]
x.shape
#? int
x.shape[0]
#? torch.Size[int]
x.size()
#? int
x.size(0)
#? torch.Size[int]
x.shape[1:]
#? int
x.dim()
#? int
x.numel()
#? Tensor[float32]
x.float()
#? Tensor[int64]
x.long()
#? Tensor[int64]
x.long().view(-1)
#? Tensor[int32]
x.to(torch.int32)
#? Tensor[bool]
x > 0
#? bool
x == None
#? bool
x is None
#? Tensor
x + 1
#? Tensor
1 - x
#? Tensor
x @ x
#? Tensor[int64]
-x.long()
#? Tensor[int64]
x.long() + 1
#? Tensor
x.long() / 2
#? Tensor[float16]
x.half() * 2.0
#? Tensor
x[0]
#? Tensor
x[:, None]
#? Tensor
x.T
#? Tensor
x.max()
#? torch.return_types.max(Tensor, Tensor[int64])
x.max(1)
#? torch.return_types.max(Tensor, Tensor[int64])
x.max(dim=1)
#? Tensor
x.max(x)
#? torch.return_types.max(Tensor, Tensor[int64])
torch.max(x, 1)
#? Tensor
torch.max(x, 1).values
#? Tensor[int64]
torch.max(x, 1)[1]
values, indices = torch.topk(x, 2)
#? Tensor
values
#? Tensor[int64]
x.argmax(1)
#? tuple[Tensor]
x.split(2)
#? Tensor
x.chunk(2, 1)[0]
a, b = x.chunk(2)
#? Tensor
a
#? Tensor
torch.cat([a, b])
#? Tensor
torch.stack((a, b), dim=1)
#? Tensor
F.relu(x)
#? Tensor
F.max_pool2d(x, 2)
#? tuple(Tensor, Tensor)
F.max_pool2d(x, 2, return_indices=True)
#? bool | float | int
x.item()
#? list[unknown]
x.tolist()
#? numpy.ndarray()
x.numpy()
#? method torch.Tensor.view
x.view
#? Tensor
x.view(-1)
#? Tensor
x.add_(1)
#? Tensor[int64]
x.long().add_(1)
#? torch.device()
x.device
#? torch.dtype()
x.dtype
#? None | Tensor
x.grad
#? bool
x.is_cuda
#? unknown
x.nosuch
#? torch.float32
torch.float32
#? torch.float32
torch.float
#? Tensor[int64]
torch.tensor([1, 2])
#? Tensor[int64]
torch.tensor([[1, 2], [3, 4]])
#? Tensor[bool]
torch.tensor([True, False])
#? Tensor
torch.tensor([1, 2.5])
#? Tensor[float64]
torch.tensor([1, 2], dtype=torch.float64)
#? Tensor[int64]
torch.arange(3)
#? Tensor
torch.arange(0, 1, 0.1)
#? Tensor[int64]
torch.full((2, 2), 7)
#? Tensor
torch.full((2, 2), 0.5)
#? Tensor[int64]
torch.bincount(torch.tensor([1, 2]))
#? Tensor
torch.bincount(torch.tensor([1, 2]), torch.ones(2))
#? Tensor[int64]
torch.tensor([True, False]).cumsum(0)
#? Tensor
torch.einsum("ij->i", x)
#? Tensor
torch.unique(x)
#? tuple(Tensor, Tensor)
torch.unique(x, return_counts=True)
#? Parameter
torch.nn.Parameter(x)
#? Tensor
torch.Tensor(3)
#? bool
torch.is_tensor(x)
#? bool
torch.cuda.is_available()
#? Tensor
torch.meshgrid(x, x)[0]
#? Tensor[float32]
torch.arange(3).float()
#? Tensor
x.where(x > 0, x)
#? Tensor[bool]
x.bool() & (x > 1)
#? None | Tensor
x if cond else None
#? Tensor | unknown
x or y
#? Tensor
abs(x)
#? Tensor?
sum([x, x])
#? Tensor
[t for t in x][0]
#? Tensor
x.detach().cpu()
#? Tensor
x.new_zeros(3)
#? Tensor[float64]
x.type(torch.float64)
#? Tensor[int64]
x.nonzero()
#? Tensor
torch.linalg.norm(x)
#? Tensor
torch.fft.fft(x)
#? torch.Size[int]
torch.Size([1, 2])
