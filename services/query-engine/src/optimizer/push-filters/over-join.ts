import type { Expression } from '../../logical/expression.ts';
import type { Join } from '../../logical/plan.ts';
import { containsSubquery, usesOnlyOutputOf, usesOutputOf } from '../column-use.ts';

/** Where the conjuncts of a join's ON and of the Filter over it belong. */
export interface JoinConjuncts {
  readonly left: readonly Expression[];
  readonly right: readonly Expression[];
  readonly on: readonly Expression[];
  readonly above: readonly Expression[];
}

type Place = keyof JoinConjuncts;

/** A row of the side that an outer join keeps is there without a match: only what is over that side alone may go there. */
const PRESERVED: Readonly<Record<Exclude<Join['join'], 'full'>, 'both' | 'left' | 'right'>> = Object.freeze({
  inner: 'both',
  cross: 'both',
  left: 'left',
  right: 'right',
});

const otherSide = (side: 'left' | 'right'): 'left' | 'right' => (side === 'left' ? 'right' : 'left');

/** Of an inner join ON and WHERE are the same. A subquery over both sides stays out of ON. */
function overInner(join: Join, conjunct: Expression): Place {
  const left = usesOutputOf(conjunct, join.left);
  const right = usesOutputOf(conjunct, join.right);
  if (left && right) return containsSubquery(conjunct) ? 'above' : 'on';
  return left ? 'left' : right ? 'right' : 'above';
}

/** From above, conjuncts reach the preserved side; those of ON decide what matches, so they reach the other one. */
function overOuter(
  join: Join,
  preserved: 'left' | 'right',
  conjunct: Expression,
  from: 'on' | 'above',
): Place {
  const side = from === 'above' ? preserved : otherSide(preserved);
  if (from === 'above') {
    return usesOutputOf(conjunct, join[side]) && usesOnlyOutputOf(conjunct, join[side]) ? side : 'above';
  }
  return usesOnlyOutputOf(conjunct, join[side]) ? side : 'on';
}

/** Distributes a join's own conjuncts and those of the Filter above it. */
export function distributeOverJoin(join: Join, above: readonly Expression[]): JoinConjuncts {
  if (join.join === 'full') return { left: [], right: [], on: join.on, above };
  const preserved = PRESERVED[join.join];
  const placed: Record<Place, Expression[]> = { left: [], right: [], on: [], above: [] };
  const place = (conjunct: Expression, from: 'on' | 'above'): void => {
    const to = preserved === 'both' ? overInner(join, conjunct) : overOuter(join, preserved, conjunct, from);
    placed[to].push(conjunct);
  };
  for (const conjunct of join.on) place(conjunct, 'on');
  for (const conjunct of above) place(conjunct, 'above');
  return placed;
}
