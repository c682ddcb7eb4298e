/**
 * How likely it is that a build side's values are keys at all: one number among texts, and nothing can be read by them, for
 * the text keys '1', '01' and '1.0' all equal 1 (`execution/loading/filtered-scan.ts`). A table that only then is read whole has
 * cost what gave the values in vain, where reading it once for all would have had their rows too.
 */
import { requiredAttributes } from '../../catalog/index-relation.ts';
import type { Attribute, AttributeType } from '../../catalog/table.ts';
import type { ColumnId, Expression } from '../../logical/expression.ts';
import type { ColumnOrigin } from '../../optimizer/column-origins.ts';
import type { KeyType, LookupShape } from './lookup-shape.ts';

type OriginOf = (id: ColumnId) => ColumnOrigin | null;

/** What may be a key of this type; NULL is left out of what is looked for. */
const KEYS_OF: Readonly<Record<KeyType, ReadonlySet<string>>> = Object.freeze({
  S: new Set<AttributeType>(['S', 'NULL']),
  // Texts too: those that are no numbers are no keys.
  N: new Set<AttributeType>(['S', 'N', 'NULL']),
});

/** The attribute at a path as the sample saw it. */
function sampledAt({ table, column }: ColumnOrigin): Attribute | undefined {
  let attributes = table.attributes;
  let found: Attribute | undefined;
  for (const step of column.path) {
    found = attributes.find(({ name }) => name === step);
    attributes = found?.nested ?? [];
  }
  return found;
}

/** The part of a column's values that are of such types. */
function partOfColumn(origin: ColumnOrigin, fitting: ReadonlySet<string>): number {
  const { path } = origin.column;
  const key = requiredAttributes(origin.table).find(({ name }) => path.length === 1 && name === path[0]);
  if (key !== undefined) return fitting.has(key.type) ? 1 : 0;
  let [fit, all] = [0, 0];
  for (const [type, count] of Object.entries(sampledAt(origin)?.types ?? {})) {
    all += count;
    if (fitting.has(type)) fit += count;
  }
  return all === 0 ? 1 : fit / all;
}

/** The part of an expression's values that may be keys of the type; 1 where nothing tells. */
function partOf(source: Expression, type: KeyType, originOf: OriginOf): number {
  switch (source.kind) {
    case 'ColumnReference': {
      const origin = originOf(source.column.id);
      return origin === null ? 1 : partOfColumn(origin, KEYS_OF[type]);
    }
    case 'Arithmetic':
      return source.operator === '||' || type === 'N' ? 1 : 0;
    case 'Negate':
      return type === 'N' ? 1 : 0;
    default:
      return 1;
  }
}

/** From 0 to 1, for so many values. */
export function chanceOfKeys(
  { sources, types }: Pick<LookupShape, 'sources' | 'types'>,
  values: number,
  originOf: OriginOf,
): number {
  const part = sources.reduce((product, source, i) => {
    const type = types[i];
    return type === undefined ? product : product * partOf(source, type, originOf);
  }, 1);
  return part ** values;
}
