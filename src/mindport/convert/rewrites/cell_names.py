"""``self.cells``, ``self.phase``: names that MindSpore's cells use themselves get an underscore, wherever a module has them.

`cells` is a method of every cell, and `phase` is overwritten by `set_train`: an SSD with ``self.phase = "test"`` read "predict",
silently. A module of torch has none of these names, so that whoever uses one means the project's own. State dictionaries keep torch's
names (`layers/state_names.py`), and so do layouts of weights (`weights/derivation.py`).
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context, Files
from mindport.convert.rewrites.module_class import inside_module, is_module_scope, is_super, joins_module
from mindport.inference import values as v
from mindport.inference.facts import Use

#: What ``nn.Cell`` has and ``torch.nn.Module`` has not, as far as setting it breaks a cell (measured: tests/convert/test_cell_names.py).
TAKEN = frozenset(
    ["add_flags", "add_flags_recursive", "bprop_debug", "cast_inputs", "cell_init_args", "cells", "cells_and_names", "check_names", "check_names_and_refresh_name", "cls_name", "compile_and_run", "compile_cache", "compile_phase", "compiled", "construct", "create_time", "enable_backward_hook", "exist_names", "exist_objs", "extend_repr", "generate_scope", "get_flags", "get_func_graph_proto", "get_inputs", "get_mixed_precision_type", "get_parameters", "get_scope", "get_sub_cell", "global_cells", "has_bprop", "init_parameters_data", "insert_child_to_cell", "insert_param_to_cell", "jit_config_dict", "mixed_precision_type", "name_cells", "offload", "parallel_parameter_merge_net_dict", "parallel_parameter_name_list", "param_prefix", "parameter_layout_dict", "parameters_and_names", "parameters_broadcast_dict", "parameters_dict", "phase", "phase_cache", "pipeline_segment", "pipeline_stage", "recompute", "register_backward_pre_hook", "register_parameter_forward_hook", "register_saved_tensors_hooks", "remove_redundant_parameters", "requires_grad", "run_construct", "set_boost", "set_broadcast_flag", "set_comm_fusion", "set_data_parallel", "set_grad", "set_inputs", "set_jit_config", "set_mixed_precision_type", "set_train", "shard", "to_float", "total_instance_count", "trainable_params", "untrainable_params", "update_cell_prefix", "update_cell_type", "update_parameters_name", "_add_attr", "_add_init_args", "_add_mixed_precision_flag", "_auto_prefix", "_backward_hook", "_backward_pre_hook", "_call_custom_bprop", "_call_post_process", "_call_pre_process", "_cell_tag", "_cells", "_check_construct_args", "_check_parameter_consistency", "_children_scope_recursive", "_complex_call", "_construct_sig", "_del_attr", "_dynamic_shape_inputs", "_forward_hook", "_forward_hook_always_called", "_forward_hook_with_kwargs", "_forward_pre_hook", "_forward_pre_hook_with_kwargs", "_get_attr_from_cell", "_get_cell_parallel_mode", "_get_compile_args", "_get_prims_recursively", "_init_check", "_init_flag", "_is_check_and_refresh", "_jit_backward_hook", "_jit_backward_pre_hook", "_jit_forward_hook", "_jit_forward_pre_hook", "_lazy_backward_hook", "_lazy_backward_pre_hook", "_lazy_forward_hook", "_lazy_forward_pre_hook", "_mp_comm_recompute", "_no_auto_lazy_inline", "_parallel_optimizer_comm_recompute", "_params", "_params_list", "_phase", "_predict", "_recompute", "_recompute_cell", "_recompute_slice_activation", "_run_construct", "_run_forward_hook", "_run_forward_pre_hook", "_run_grad_construct", "_self_check", "_set_attr_for_cell", "_set_attr_for_object", "_set_attr_for_param_or_param_tuple", "_set_attr_for_parameter_in_list_or_tuple", "_set_attr_for_params", "_set_jit_graph_name", "_set_recompute_scope", "_set_scope", "_shard_fn", "_update_local_parameters_name", "_user_parameters"]
)

#: Methods of modules that make an attribute by its name.
_NAMING = frozenset(("register_buffer", "register_parameter", "register_module", "add_module"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Rename definitions in module classes and all that reads or sets them on instances."""
    for cls in context.facts.ancestors:
        if joins_module(context, cls):
            for statement in cls.body:
                _defined(context, statement)
    unknown: list[ast.Attribute] = []
    for node in context.file.nodes:
        if (text := _named(context, node)) is not None:
            context.editing.insert(context.editing.span(text)[1] - 1, "_")
        if not isinstance(node, ast.Attribute) or node.attr not in TAKEN:
            continue
        options = v.options(context.facts.value(node.value))
        if _is_own(context, node.value):
            end = context.editing.span(node)[1]
            context.editing.replace(end - len(node.attr), end, f"{node.attr}_")  # within the attribute, so that it goes where that goes
        elif all(type(o) is v.Unknown for o in options):
            unknown.append(node)
    theirs = context.once(_attributes_of_modules) if unknown else set()
    for node in unknown:
        if node.attr in theirs:
            context.report(
                "MP105", f"`{context.file.segment(node)}`: modules of the project have an attribute {node.attr}, which is {node.attr}_ in the converted project, "
                f"as MindSpore's cells use the name; if this is one of them, write {node.attr}_", node, risk="silent", certainty="likely", mark=True,
            )  # fmt: skip


def _is_own(context: Context, owner: ast.expr) -> bool:
    """Whether what has the name may be a module of the project."""
    options = v.options(context.facts.value(owner))
    return any(isinstance(o, (v.ProjectInstance, v.ProjectClass)) and _is_module(o) for o in options) or (is_super(owner) and inside_module(context, owner))


def _named(context: Context, node: ast.AST) -> ast.Constant | None:
    """The text that names an attribute of a module: in ``self.register_buffer("phase", t)`` and its like, and in ``setattr(net, "phase", v)``."""
    match node:
        case ast.Call(func=ast.Name(id="setattr" | "getattr" | "hasattr" | "delattr"), args=[owner, ast.Constant(value=str() as name) as text, *_]):
            pass
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=[ast.Constant(value=str() as name) as text, *_]) if method in _NAMING:
            pass
        case _:
            return None
    return text if name in TAKEN and context.file.segment(text)[1:-1] == name and _is_own(context, owner) else None


def as_torch(path: str) -> str:
    """A dotted path in a cell with the names that torch has."""
    return ".".join(part[:-1] if part[:-1] in TAKEN and part.endswith("_") else part for part in path.split("."))


def _defined(context: Context, statement: ast.stmt) -> None:
    """``def cells(self)`` and ``phase = None`` in the body of a class."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name in TAKEN:
        start = context.editing.text.index("def", context.editing.span(statement)[0])
        at = context.editing.text.index(statement.name, start)
        context.editing.insert(at + len(statement.name), "_")
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
        for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
            if isinstance(target, ast.Name) and target.id in TAKEN:
                context.editing.insert(context.editing.span(target)[1], "_")


def _attributes_of_modules(project: Files) -> set[str]:
    """The taken names that modules of the project set or define, in any file."""
    found: set[str] = set()
    for _, facts in project:
        for cls, ancestors in facts.ancestors.items():
            if MODULE in ancestors:
                found |= {n.attr for n in ast.walk(cls) if isinstance(n, ast.Attribute) and n.attr in TAKEN and isinstance(n.ctx, ast.Store)}
                found |= {n.args[0].value for n in ast.walk(cls) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in _NAMING and n.args and isinstance(n.args[0], ast.Constant) and n.args[0].value in TAKEN}
                found |= {s.name for s in cls.body if isinstance(s, ast.FunctionDef) and s.name in TAKEN}
    return found


def _is_module(option: v.ProjectInstance | v.ProjectClass) -> bool:
    return is_module_scope(option.cls.scope if isinstance(option, v.ProjectInstance) else option.scope)
