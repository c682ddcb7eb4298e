import { entriesIndex, relationName } from '../../catalog/index-relation.ts';
import { queryKey, type KeyAttribute } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';
import { attributeOf, conjunctsOf, type Condition } from './condition.ts';
import { whyNotIndex } from './index-coverage.ts';
import { knownColumns } from './keyed-candidates.ts';
import { largeScanUnits } from './limits.ts';
import type { Literal } from './literal.ts';

/** What a key attribute holds, in words, and what constants can be looked up in it. */
const KEY_TYPES: Readonly<
  Record<KeyAttribute['type'], { readonly holds: string; readonly fits: readonly Literal['type'][] }>
> = Object.freeze({
  S: { holds: 'texts', fits: ['text'] },
  N: { holds: 'numbers', fits: ['number', 'text'] },
  B: { holds: 'binary values', fits: ['binary', 'text'] },
});

/** What to tell of a scan of a large table that a key or an index could have spared. */
export function scanWarnings(
  scan: TableScan,
  conjuncts: readonly Condition[],
  units: number,
  consistent: boolean,
): readonly string[] {
  if (units <= largeScanUnits) return [];
  const { table } = scan;
  const opening = `${relationName(table)} is scanned, about ${Math.round(units)} read units`;
  const entries = entriesIndex(table);
  const { partitionKeys } = queryKey(table, entries);
  const unlike = partitionKeys.find((key) => conjuncts.some((conjunct) => isUnlike(conjunct, key)));
  if (unlike !== undefined) {
    const { name, type } = unlike;
    return [
      `${opening}: its partition key ${name} holds ${KEY_TYPES[type].holds}, and is compared with others`,
    ];
  }
  // It was named, so no other is of help.
  if (entries !== null)
    return [`${opening}: bind its partition key ${partitionKeys.map(({ name }) => name).join(', ')}`];
  const paths = knownColumns(scan).map(({ path }) => path);
  const bound = new Set(conjuncts.flatMap(boundAttribute));
  bound.delete(table.key.partitionKey.name);
  for (const index of table.indexes) {
    const names = index.key.partitionKeys.map(({ name }) => name);
    if (!names.every((name) => bound.has(name))) continue;
    const why = whyNotIndex(index, table, conjuncts, paths, consistent);
    if (why !== null) return [`${opening}: index ${index.name} cannot serve the query, since ${why}`];
    // It could, and the scan was found to cost less.
    for (const name of names) bound.delete(name);
  }
  if (bound.size > 0) return [`${opening}: ${indexOn([...bound].join(' or '))} would help`];
  return eachBranchBound(conjuncts, scan).map(
    (names) => `${opening}: ${indexOn(names.join(', and another with '))} would help`,
  );
}

function indexOn(names: string): string {
  return `a global secondary index with the partition key ${names}`;
}

/** ORs of which an index for each branch would do; the attributes that have none yet. */
function eachBranchBound(
  conjuncts: readonly Condition[],
  { table }: TableScan,
): readonly (readonly string[])[] {
  const known = [null, ...table.indexes].map((index) => queryKey(table, index).partitionKeys);
  const isKnown = (names: readonly string[]): boolean =>
    known.some((attributes) => attributes.every(({ name }) => names.includes(name)));
  return conjuncts
    .flatMap((or) => {
      if (or.kind !== 'Or') return [];
      const branches = or.operands.map((branch) => conjunctsOf(branch).flatMap(boundAttribute));
      if (branches.some((names) => names.length === 0)) return [];
      const lacking = branches.filter((names) => !isKnown(names));
      const names = [...new Set(lacking.map(([first]) => first ?? ''))];
      return names.length === 0 ? [] : [names];
    })
    .slice(0, 1);
}

/** The attribute that a condition says to equal constants. */
function boundAttribute(condition: Condition): readonly string[] {
  const isEquality = condition.kind === 'In' || (condition.kind === 'Compare' && condition.operator === '=');
  const attribute = isEquality ? attributeOf(condition.column) : null;
  return attribute === null ? [] : [attribute];
}

/** Whether a key is said to equal what it cannot be looked up by. */
function isUnlike(condition: Condition, { name, type }: KeyAttribute): boolean {
  if (condition.kind !== 'In' && condition.kind !== 'Compare') return false;
  if (!boundAttribute(condition).includes(name)) return false;
  const literals = condition.kind === 'In' ? condition.literals : [condition.literal];
  return literals.some((literal) => !KEY_TYPES[type].fits.includes(literal.type));
}
