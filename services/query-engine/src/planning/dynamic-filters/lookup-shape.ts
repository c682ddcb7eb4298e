/** What reading a scan by given values of some of its columns would be like. */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { allKeyAttributes } from '../../catalog/table.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import { columnReference, comparison, literal } from '../../logical/build-expression.ts';
import type { Expression } from '../../logical/expression.ts';
import type { ScanColumn, TableScan } from '../../logical/plan.ts';
import { usedColumns } from '../../optimizer/column-use.ts';
import { constantConjunct } from '../../optimizer/constant-conjunct.ts';
import { isNeverNull } from '../../optimizer/never-null.ts';
import type { ChooseRead } from '../share-reads.ts';
import type { FilterCandidate } from './filter-candidate.ts';

/** Of a key that values can be looked up by. */
export type KeyType = 'S' | 'N';

export interface LookupShape {
  readonly columns: readonly ScanColumn[];
  /** Of each column. */
  readonly types: readonly KeyType[];
  readonly sources: readonly Expression[];
  /** The read for one value of each. */
  readonly one: TableRead;
}

/** Types of the attributes that reads go by: the keys of the table and of its indexes. */
function keyTypes({ table }: TableScan): ReadonlyMap<string, 'S' | 'N' | 'B'> {
  return new Map(allKeyAttributes(table).map(({ name, type }) => [name, type]));
}

/** Asked of each condition over the scan. */
const columnsById = remembered(
  (scan: TableScan): ReadonlyMap<number, ScanColumn> =>
    new Map(scan.columns.map((column) => [column.id, column])),
);

interface KeyPair {
  readonly column: ScanColumn;
  readonly type: KeyType;
  readonly source: Expression;
  readonly equalsOne: Expression;
}

/** The pairs over key attributes, one for each column. */
function keyPairs(scan: TableScan, { pairs, nullsMatch }: FilterCandidate): readonly KeyPair[] {
  const types = keyTypes(scan);
  const columns = columnsById(scan);
  const found = new Map<number, KeyPair>();
  for (const { target, source } of pairs) {
    const column = columns.get(target);
    const [name] = column?.path ?? [];
    const type = column?.path.length === 1 && typeof name === 'string' ? types.get(name) : undefined;
    if (column === undefined || (type !== 'S' && type !== 'N') || found.has(target)) continue;
    if (nullsMatch && !isNeverNull(scan, target)) continue;
    const value =
      type === 'S' ? literal({ type: 'text', value: '?' }) : literal({ type: 'number', text: '1' });
    found.set(target, { column, type, source, equalsOne: comparison('=', columnReference(column), value) });
  }
  return [...found.values()];
}

/** The read by a value of each pair; null where no key can use them. */
function readByOne(scan: TableScan, pairs: readonly KeyPair[], chooseRead: ChooseRead): TableRead | null {
  const equalities = pairs.map(({ equalsOne }) => equalsOne);
  const byKey = (others: readonly Expression[]): TableRead | null => {
    const read = chooseRead({ ...scan, filter: [...others, ...equalities] });
    return ['Scan', 'Segments', 'Nothing'].includes(read.path.kind) ? null : read;
  };
  const read = byKey(scan.filter);
  if (read !== null) return read;
  // The value is made up, and may be none of those that the statement names: then it stands for one of them.
  const ids = new Set(pairs.map(({ column }) => column.id));
  const isOfKeys = (conjunct: Expression): boolean => [...usedColumns(conjunct)].every((id) => ids.has(id));
  const named = new Set(
    scan.filter.filter(isOfKeys).map((conjunct) => constantConjunct(conjunct)?.column.id),
  );
  named.delete(undefined);
  // Partitions that are named need not wait for others to be found.
  const isMoreBound = ids.size > named.size || scan.topOfEach !== undefined;
  return named.size > 0 && isMoreBound ? byKey(scan.filter.filter((conjunct) => !isOfKeys(conjunct))) : null;
}

/**
 * How a scan is read by what is wanted of it; null where that is not by key. Of the pairs only those that make it cheaper
 * are used. What one value costs is a guess that rules nothing out: how many there are is counted.
 */
export function lookupShape(
  scan: TableScan,
  candidate: FilterCandidate,
  chooseRead: ChooseRead,
): LookupShape | null {
  let pairs = keyPairs(scan, candidate);
  if (pairs.length === 0) return null;
  let one = readByOne(scan, pairs, chooseRead);
  if (one === null) return null;
  for (const pair of pairs) {
    if (pairs.length === 1) break;
    const fewer = pairs.filter((other) => other !== pair);
    const read = readByOne(scan, fewer, chooseRead);
    if (read === null || (isWholeKey(one) && !isWholeKey(read))) continue;
    if (read.estimate.units > one.estimate.units || read.estimate.rows > one.estimate.rows) continue;
    [pairs, one] = [fewer, read];
  }
  return {
    columns: pairs.map(({ column }) => column),
    types: pairs.map(({ type }) => type),
    sources: pairs.map(({ source }) => source),
    one,
  };
}

/** True when the number of values tells what is read: of each no more than an item, or the first few. */
export function isOfFewItems(read: TableRead): boolean {
  return isWholeKey(read) || (read.path.kind === 'Query' && read.path.topOfEach !== undefined);
}

/** True when a value gives one item at most, so that what is read is sure. */
export function isWholeKey({ path }: TableRead): boolean {
  return path.kind === 'GetItem' || path.kind === 'BatchGetItem';
}
