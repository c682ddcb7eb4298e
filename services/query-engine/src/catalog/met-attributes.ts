/** Attributes that a statement's own reads met, of a table whose catalog entry lacks them: columns of its star all the same. */
import type { Attribute, AttributeType, CatalogTable } from './table.ts';

export interface MetAttribute {
  readonly name: string;
  readonly types: readonly AttributeType[];
  /** As an attribute's `metSince`, by which a star orders its columns; also where the catalog knows the attribute by now. */
  readonly metSince: string;
}

/** Of one table. Plain data: it is part of what a plan is kept by. */
export interface MetAttributes {
  readonly schemaName: string;
  readonly tableName: string;
  readonly attributes: readonly MetAttribute[];
}

/** Behind all that the catalog knows. */
export const MET_LAST = '9999';

/** Its numbers may have any digits: what is stored by what is expected of them has room for all. */
const ANY_DIGITS = 38;

const asNew = ({ name, types, metSince }: MetAttribute): Attribute =>
  Object.freeze({
    name,
    types: Object.fromEntries(types.map((type) => [type, 1])),
    integerDigits: ANY_DIGITS,
    scale: ANY_DIGITS,
    nested: [],
    distinctValues: 0,
    metSince,
  });

const isOf =
  ({ schemaName, tableName }: CatalogTable) =>
  (met: MetAttributes): boolean =>
    met.schemaName === schemaName && met.tableName === tableName;

/** The table with what was met of it. */
export function withMet(table: CatalogTable, met: readonly MetAttributes[]): CatalogTable {
  const own = met.find(isOf(table))?.attributes ?? [];
  if (own.length === 0) return table;
  const places = new Map(own.map(({ name, metSince }) => [name, metSince]));
  const known = new Set(table.attributes.map(({ name }) => name));
  const placed = table.attributes.map((attribute) => {
    const metSince = places.get(attribute.name);
    return metSince === undefined ? attribute : Object.freeze({ ...attribute, metSince });
  });
  return Object.freeze({
    ...table,
    attributes: [...placed, ...own.filter(({ name }) => !known.has(name)).map(asNew)],
  });
}

/** Both, each name once. */
export function joinedMet(
  before: readonly MetAttributes[],
  more: readonly MetAttributes[],
): readonly MetAttributes[] {
  const tables = Map.groupBy([...before, ...more], ({ schemaName, tableName }) =>
    JSON.stringify([schemaName, tableName]),
  );
  return [...tables.values()].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined) return [];
    const byName = new Map<string, MetAttribute>();
    for (const { attributes } of parts)
      for (const one of attributes) if (!byName.has(one.name)) byName.set(one.name, one);
    return [{ ...first, attributes: [...byName.values()] }];
  });
}
