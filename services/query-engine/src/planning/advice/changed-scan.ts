/** Scans as they would be after a change of their statement or of their table. */
import type { KeyAttribute, KeySchema, SecondaryIndex } from '../../catalog/table.ts';
import { knownColumns } from '../../dynamodb/access-path/keyed-candidates.ts';
import { columnReference, comparison, expression, literal } from '../../logical/build-expression.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import type { ScanColumn, TableScan } from '../../logical/plan.ts';

/** What a predicate asks of an attribute that a statement does not say yet. */
export interface Predicate {
  readonly attribute: KeyAttribute;
  /** present: IS NOT NULL; comparable: a comparison that all keys pass; value: equal to some key. */
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

/** As a statement has it. */
export function shownPredicate({ attribute: { name, type }, asks }: Predicate): string {
  const column = /^[a-z_]\w*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
  if (asks === 'present') return `${column} IS NOT NULL`;
  return asks === 'comparable' ? `${column} > ${LEAST[type].shown}` : `${column} = …`;
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

/** With indexes that there are not yet: of all attributes, and of every item that has their keys. */
export function withIndexes(scan: TableScan, keys: readonly KeySchema[]): TableScan {
  const indexes = keys.map((key, i): SecondaryIndex => ({
    name: `${NEW_INDEX}${i}`,
    global: true,
    key,
    projection: 'ALL',
    nonKeyAttributes: [],
    itemCount: 0,
    sizeBytes: 0,
    coverage: 'complete',
  }));
  return { ...scan, table: Object.freeze({ ...scan.table, indexes: [...scan.table.indexes, ...indexes] }) };
}

/** No index has such a name. */
export const NEW_INDEX = '(new) ';

/** With an index as it would be if it held all attributes. */
export function withProjection(scan: TableScan, index: SecondaryIndex): TableScan {
  const whole: SecondaryIndex = {
    ...index,
    projection: 'ALL',
    nonKeyAttributes: [],
    itemCount: 0,
    sizeBytes: 0,
  };
  const indexes = scan.table.indexes.map((one) => (one === index ? whole : one));
  return { ...scan, table: Object.freeze({ ...scan.table, indexes }) };
}
