"""torch.save: files in torch's own zip layout, which PyTorch reads as well as the converted program.

Tensors are written opcode by opcode as calls of torch's rebuild function (pickle's own writer would import the names);
everything else is pickled as Python pickles it. Sources: pickletools, torch/serialization.py, torch/_utils.py.
"""

import math
import pickle
import types
import zipfile

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.ops import Primitive

from mindport.declare import Refused, difference, equivalent

#: dtype name → the storage class that torch writes for it.
STORAGE_OF = {
    "float32": "FloatStorage", "float64": "DoubleStorage", "float16": "HalfStorage", "bfloat16": "BFloat16Storage",
    "int64": "LongStorage", "int32": "IntStorage", "int16": "ShortStorage", "int8": "CharStorage", "uint8": "ByteStorage",
    "bool": "BoolStorage", "complex64": "ComplexFloatStorage", "complex128": "ComplexDoubleStorage",
}
MODEL = "this model holds what cannot be pickled: save model.state_dict() and load it into a new model"


def rebuild_primitive(kind, options):
    """An operator that a layer holds, from what it was made of."""
    return kind(**options)


class TorchPickler(pickle._Pickler):
    """Pickle's writer in Python, which leaves room for tensors; `contents` gathers their bytes.

    In dictionaries alone a parameter is written as its tensor, as torch's states hold it. What stands alone, or in a row, a cell or another object, is a parameter, and the
    same one for all of them: an optimizer goes on with the model that is saved beside it. `parameters` are those inside, by id.
    """

    def __init__(self, stream, protocol):
        super().__init__(stream, protocol)
        self.contents = []
        self.inside = 0
        self.in_row = True
        self.parameters = {}

    def save(self, obj, save_persistent_id=True):
        known = self.memo.get(id(obj))
        if isinstance(obj, nn.Cell):
            self.save_cell(obj)
        elif isinstance(obj, (type, types.FunctionType)) and known is None and obj is not type(None):
            self.save_global(obj)  # by name: dill, which MindSpore imports, makes pickle's own way write their code
        elif isinstance(obj, Primitive):
            self.save_reduce(rebuild_primitive, (type(obj), dict(obj.init_attrs)), obj=obj)
        elif isinstance(obj, Parameter) and (self.inside or self.in_row or id(obj) in self.parameters):
            self.save_parameter(obj)
        elif known is not None and isinstance(obj, Tensor):
            self.write(self.get(known[0]))
        elif isinstance(obj, Tensor):
            self.save_tensor(obj)
        elif isinstance(obj, ms.Type):
            self.write(pickle.GLOBAL + f"torch\n{str(obj).lower()}\n".encode())
        elif hasattr(obj, "__dict__") and not isinstance(obj, (dict, list, tuple, set, frozenset)):
            self.inside += 1
            try:
                super().save(obj, save_persistent_id)
            finally:
                self.inside -= 1
        elif isinstance(obj, (dict, list, tuple)):
            around, self.in_row = self.in_row, not isinstance(obj, dict)
            super().save(obj, save_persistent_id)
            self.in_row = around
        else:
            super().save(obj, save_persistent_id)

    def save_cell(self, cell):
        """A model as Python pickles it: its class by name, and all that it holds."""
        self.inside += 1
        try:
            super().save(cell)
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            raise Refused(f"{MODEL} ({error})") from error
        finally:
            self.inside -= 1

    def save_parameter(self, parameter):
        """_rebuild_parameter(tensor, requires_grad, OrderedDict()); inside of a model _rebuild_parameter_with_state, and {"name": …}, which PyTorch does not read."""
        if id(parameter) in self.parameters:
            self.write(self.get(self.memo[id(self.parameters[id(parameter)])][0]))
            return
        kind = b"_rebuild_parameter_with_state" if self.inside else b"_rebuild_parameter"
        self.write(pickle.GLOBAL + b"torch._utils\n" + kind + b"\n" + pickle.MARK)
        self.save_tensor(Tensor(parameter.asnumpy(), parameter.dtype))
        super().save(bool(parameter.requires_grad))
        self.write(pickle.GLOBAL + b"collections\nOrderedDict\n" + pickle.EMPTY_TUPLE + pickle.REDUCE)
        if self.inside:
            super().save({"name": parameter.name})
        self.write(pickle.TUPLE + pickle.REDUCE)
        self.parameters[id(parameter)] = [parameter]  # what stands for it in pickle's memo, where its tensor has a place of its own
        self.memoize(self.parameters[id(parameter)])

    def save_tensor(self, tensor):
        """_rebuild_tensor_v2(storage, 0, shape, strides, False, OrderedDict())"""
        values = tensor.asnumpy()
        kind = values.dtype.name
        if kind not in STORAGE_OF:
            raise Refused(f"a tensor of {kind} in a file: cast it first")
        shape = tensor.shape
        strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
        self.write(pickle.GLOBAL + b"torch._utils\n_rebuild_tensor_v2\n" + pickle.MARK)
        self.write(pickle.MARK)
        super().save("storage")
        self.write(pickle.GLOBAL + f"torch\n{STORAGE_OF[kind]}\n".encode())
        super().save(str(len(self.contents)))
        super().save("cpu")
        super().save(values.size)
        self.write(pickle.TUPLE + pickle.BINPERSID)
        super().save(0)
        super().save(tuple(shape))
        super().save(strides)
        self.write(pickle.NEWFALSE + pickle.GLOBAL + b"collections\nOrderedDict\n" + pickle.EMPTY_TUPLE + pickle.REDUCE)
        self.write(pickle.TUPLE + pickle.REDUCE)
        self.memoize(tensor)
        self.contents.append(np.ascontiguousarray(values).tobytes())


@equivalent(
    "torch.save",
    drops={"pickle_module": "Python's own pickle writes", "_disable_byteorder_record": "the byte order is always little"},
    differs=[difference("tensors that share storage are written one by one, and come back apart", risk="style", zh="共享存储的张量分别保存")],
)
def save(
    obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True, _disable_byteorder_record=False,
):
    """Writes tensors and plain objects into a zip file that torch.load reads, here and in PyTorch.

    https://docs.pytorch.org/docs/2.13/generated/torch.save.html
    """
    if not _use_new_zipfile_serialization:
        raise Refused("the layout before PyTorch 1.6: write the zip layout, which PyTorch 1.6 and later read")
    stream = SpooledPickle()
    pickler = TorchPickler(stream, pickle_protocol)
    pickler.dump(obj)
    with zipfile.ZipFile(f, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("archive/data.pkl", bytes(stream.content))
        archive.writestr("archive/byteorder", b"little")
        for index, content in enumerate(pickler.contents):
            archive.writestr(f"archive/data/{index}", content)
        archive.writestr("archive/version", b"3\n")
    return None


class SpooledPickle:
    """The stream that a pickler writes to."""

    def __init__(self):
        self.content = bytearray()

    def write(self, data):
        self.content += data
        return len(data)
