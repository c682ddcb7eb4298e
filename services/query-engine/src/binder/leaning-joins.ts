/** Joins that are bound in another order than they are written, since what is LATERAL sees all items before it. */
import type { AstFromItem } from '../parser/ast.ts';

export type AstJoin = Extract<AstFromItem, { readonly kind: 'Join' }>;

/**
 * `a, b JOIN LATERAL (…) ON …` as `(a CROSS JOIN b) JOIN LATERAL (…) ON …`, which has the same rows: what is LATERAL sees
 * all items before it, and is computed over the left side of its own join.
 */
export function leaningLeft(item: AstJoin): AstJoin {
  const { right } = item;
  const leans = item.join === 'CROSS' && right.kind === 'Join' && keepsLeft(right) && seesBefore(right);
  if (!leans) return item;
  const left = { ...item, right: right.left };
  return { ...right, left: leaningLeft(left), pos: item.pos };
}

/** Whether the rows of its left side come out of the join with no condition but ON's. */
const keepsLeft = ({ join, natural, using }: AstJoin): boolean =>
  (join === 'INNER' || join === 'LEFT' || join === 'CROSS') && !natural && using.length === 0;

/** Whether something on the right of the joins, the last ones outside, may name columns of the items before it. */
function seesBefore({ left, right }: AstJoin): boolean {
  if (right.kind === 'TableFunction' || (right.kind === 'DerivedTable' && right.lateral)) return true;
  return left.kind === 'Join' && seesBefore(left);
}
