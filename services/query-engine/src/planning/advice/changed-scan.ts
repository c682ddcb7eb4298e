/** Scans as they would be after a change of their statement or of their table. */
import type { CatalogTable, IndexKey, KeyAttribute, SecondaryIndex } from '../../catalog/table.ts';
import { sizeOf } from '../../dynamodb/access-path/estimate.ts';
import { knownColumns } from '../../dynamodb/access-path/keyed-candidates.ts';
import { columnReference, comparison, expression, literal } from '../../logical/build-expression.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import type { ScanColumn, TableScan } from '../../logical/plan.ts';

/** What a predicate asks of an attribute that a statement does not say yet. */
export interface Predicate {
  readonly attribute: KeyAttribute;
  /** present: IS NOT NULL; comparable: a comparison that keys pass; value: equal to some key. */
  readonly asks: 'present' | 'comparable' | 'value';
}

const LEAST: Readonly<
  Record<KeyAttribute['type'], { readonly value: LiteralValue; readonly shown: string }>
> = Object.freeze({
  S: { value: { type: 'text', value: '' }, shown: "''" },
  N: { value: { type: 'number', text: '0' }, shown: '0' },
  B: { value: { type: 'binary', base64: '' }, shown: "X''" },
});
const SOME: Readonly<Record<KeyAttribute['type'], LiteralValue>> = Object.freeze({
  S: { type: 'text', value: '?' },
  N: { type: 'number', text: '1' },
  B: { type: 'binary', base64: 'AA==' },
});

/** As SQL writes the name of an attribute. */
export function shownName(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** As a statement has it. */
export function shownPredicate({ attribute: { name, type }, asks }: Predicate): string {
  if (asks === 'present') return `${shownName(name)} IS NOT NULL`;
  return asks === 'comparable' ? `${shownName(name)} > ${LEAST[type].shown}` : `${shownName(name)} = …`;
}

export function withPredicates(scan: TableScan, predicates: readonly Predicate[]): TableScan {
  const added: ScanColumn[] = [];
  const columnOf = (name: string): ScanColumn => {
    const known = [...knownColumns(scan), ...added].find(({ path }) => path.length === 1 && path[0] === name);
    if (known !== undefined) return known;
    const column: ScanColumn = { id: FIRST_ID - added.length, name, path: [name] };
    added.push(column);
    return column;
  };
  const filter = predicates.map(({ attribute: { name, type }, asks }): Expression => {
    const operand = columnReference(columnOf(name));
    if (asks === 'present') return expression({ kind: 'IsNull', operand, negated: true });
    return asks === 'comparable'
      ? comparison('>', operand, literal(LEAST[type].value))
      : comparison('=', operand, literal(SOME[type]));
  });
  const filterColumns = [...(scan.filterColumns ?? []), ...added];
  return { ...scan, filter: [...scan.filter, ...filter], filterColumns };
}

/** Of columns that no statement has. */
const FIRST_ID = -1_000;

/** No index has such a name: DynamoDB allows no spaces. */
export const NEW_INDEX = '(new) ';

/**
 * With indexes that there are not yet, of all attributes. That they are sure to hold every item which has their keys is
 * not claimed: items that are older than an index may hold values that are no keys.
 */
export function withIndexes(scan: TableScan, keys: readonly IndexKey[]): TableScan {
  const indexes = keys.map((key, i): SecondaryIndex => ({
    name: `${NEW_INDEX}${i}`,
    global: true,
    key,
    projection: 'ALL',
    nonKeyAttributes: [],
    itemCount: 0,
    sizeBytes: 0,
    coverage: 'assumed',
  }));
  return { ...scan, table: Object.freeze({ ...scan.table, indexes: [...scan.table.indexes, ...indexes] }) };
}

/** With an index as it would be if it held all attributes. */
export function withProjection(scan: TableScan, index: SecondaryIndex): TableScan {
  const { itemBytes } = sizeOf(scan.table, null);
  const whole: SecondaryIndex = {
    ...index,
    projection: 'ALL',
    nonKeyAttributes: [],
    sizeBytes: Math.ceil(index.itemCount * itemBytes),
  };
  const indexes = scan.table.indexes.map((one) => (one === index ? whole : one));
  return { ...scan, table: Object.freeze({ ...scan.table, indexes }) };
}

/** A scan of a table that has so many items, of so many bytes. */
export function withSize(scan: TableScan, itemCount: number, sizeBytes: number): TableScan {
  const table: CatalogTable = Object.freeze({ ...scan.table, itemCount, sizeBytes });
  return { ...scan, table };
}
