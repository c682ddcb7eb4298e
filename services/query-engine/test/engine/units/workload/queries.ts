/** The workload's queries of a shape, the same for the same seed: of each kind so many, its forms in turn. */
import { choiceFrom } from '../../choice.ts';
import { ordersForms } from './generators/orders.ts';
import { SINGLE_FORMS } from './generators/single.ts';
import { KINDS, type WorkloadQuery } from './query.ts';
import { SHAPES, type Shape } from './shapes.ts';
import type { Sizes } from './values.ts';

/** Sets the choices of queries apart from those of tables. */
const SALT = 1000;

export function queriesOf(
  shape: Shape,
  seed: number,
  sizes: Sizes,
  perKind: number,
): readonly WorkloadQuery[] {
  const choice = choiceFrom(seed + SALT + SHAPES.indexOf(shape));
  const forms = shape === 'single' ? SINGLE_FORMS : ordersForms(shape);
  return KINDS.flatMap((kind) => {
    const own = forms[kind];
    return Array.from({ length: perKind }, (_, i) => own[i % own.length]!(choice, sizes));
  });
}
