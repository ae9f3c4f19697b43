"""Which shapes change from step to step, why, what lies behind them, and what to do: abstract interpretation of the project.

Every expression has a level (`abstract.Level`: constant, configuration, read from a shape, a loop's turn, random, data) and the
sources of its shape. A *source* is a place where a level above a shape's became a size. The account is meant to be closed:

- values decide: selections (`apis.DYNAMIC`, `apis.ARRAY_DYNAMIC`, masks in `masks` and `subscripts`), sizes, axes and slices of a changing level
  (`sized_apis.SIZED`, draws too), lists of a changing length made a tensor or an index (`apis.FROM_LISTS`, `container_lengths`);
- inputs differ: collations and loaders (`inputs`), files in their own sizes (`own_sizes`), texts padded to the longest;
- control flow: branches of different shapes whose result is read afterwards, loops that data end (`statements`), growth (`api_calls`).

What makes a shape constant again: reductions to one number, sizes by arguments (`apis.SIZED_BY_ARGUMENT`), adaptive layers, tensors
of constant values (`Abstract.fixed`), slices whose ends move together (`polynomials`), lists that both ways fill alike, one row of a
selection, layers that a loop runs through, methods that run once and what only they call (`lasting`), the first sample's size in a collation.

What carries it: places, which are names, attributes and entries however deep (`places`), containers and records (`containers`,
`records`), calls of the project's functions and modules with what they leave in their arguments (`calls`), closures, generators. What a
loader gives is data (`loaders`); texts and tables have lengths of their own (`texts`). What an object computes when it is made is settled
(`texts.settled`). What has no type is judged by how it is used (`parameters`, `handed_in`, `subscripts.uses_torch_alone`, `supposed_tensors`). Objects that
a step must be given are data with all their parts, of numbers of their own (`given_objects`, `questions`, `opaque`); what else has no type is configuration. `tests/analysis/dynamic_shape/programs/carriers.txt` has a program for each way of carrying.
"""
