/**
 * ORs whose branches are followed to find keys. Each branch is looked at together with all other conjuncts, so a statement
 * of many ORs would take time by the square of its length: they are followed while that is few looks.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { attributeOf, type Condition } from './condition.ts';

export interface FollowedOr {
  readonly or: Extract<Condition, { readonly kind: 'And' | 'Or' }>;
  /** The other conjuncts. */
  readonly rest: readonly Condition[];
}

/** Attributes that a condition is about. */
const attributesIn: (condition: Condition) => ReadonlySet<string> = remembered((condition) => {
  if (condition.kind === 'And' || condition.kind === 'Or')
    return new Set(condition.operands.flatMap((operand) => [...attributesIn(operand)]));
  const name = 'column' in condition ? attributeOf(condition.column) : null;
  return new Set(name === null ? [] : [name]);
});

/** The conjuncts that say something of one of the attributes; one that nothing passes says something of all. */
export function conjunctsAbout(
  conjuncts: readonly Condition[],
  attributes: readonly string[],
): readonly Condition[] {
  return conjuncts.filter((conjunct) => {
    if (conjunct.kind === 'Never') return true;
    const names = attributesIn(conjunct);
    return attributes.some((name) => names.has(name));
  });
}

/**
 * The ORs about one of the attributes whose branches may be followed: the first ones, up to `looksMax` looks at a conjunct
 * in all. Of an OR about other attributes, each branch leaves the same keys as the rest alone.
 */
export function* followedOrs(
  conjuncts: readonly Condition[],
  attributes: readonly string[],
  { branchesMax, looksMax }: { readonly branchesMax: number; readonly looksMax: number },
): Generator<FollowedOr> {
  let looks = 0;
  for (const or of conjunctsAbout(conjuncts, attributes)) {
    if (or.kind !== 'Or' || or.operands.length > branchesMax) continue;
    looks += or.operands.length * conjuncts.length;
    if (looks > looksMax) return;
    yield { or, rest: conjuncts.filter((conjunct) => conjunct !== or) };
  }
}
