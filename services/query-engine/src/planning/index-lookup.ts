/** What an index lookup is weighed against once it is known how many keys the index gives. */
import { sizeOf, unitsOfKeys } from '../dynamodb/access-path/estimate.ts';
import { projects } from '../dynamodb/access-path/index-coverage.ts';
import type { TableRead } from '../dynamodb/table-read.ts';
import type { ScanColumn, TableScan } from '../logical/plan.ts';
import { usedColumns } from '../optimizer/column-use.ts';
import type { ChooseRead } from './share-reads.ts';

export interface IndexLookupChoice {
  /** The keys alone, from the index: its columns are the table's partition key and, where there is one, its sort key. */
  readonly keys: TableRead;
  /** What is read where there are too many of them. */
  readonly fallback: TableRead;
  /** What looking one up costs. */
  readonly unitsPerKey: number;
}

function keysOnly(scan: TableScan, index: TableScan['table']['indexes'][number]): TableScan {
  const { table } = scan;
  const { partitionKey, sortKey } = table.key;
  const keys = [partitionKey, ...(sortKey === null ? [] : [sortKey])].map(({ name }, i): ScanColumn => ({
    id: -1 - i,
    name,
    path: [name],
  }));
  const inIndex = scan.columns.filter(({ path }) => projects(index, table, String(path[0])));
  const ids = new Set(inIndex.map(({ id }) => id));
  const filter = scan.filter.filter((conjunct) => [...usedColumns(conjunct)].every((id) => ids.has(id)));
  const used = new Set(filter.flatMap((conjunct) => [...usedColumns(conjunct)]));
  const columns = [...keys, ...inIndex.filter(({ id }) => used.has(id))];
  const { topOfEach: _, ...whole } = scan;
  return { ...whole, table: { ...table, indexes: [index] }, columns, filter };
}

/** Null where the read is no index lookup, or may end before it has all keys. */
export function indexLookupChoice(
  scan: TableScan,
  { path, consistent }: TableRead,
  chooseRead: ChooseRead,
): IndexLookupChoice | null {
  const index = path.kind === 'IndexLookup' && scan.table.indexes.find(({ name }) => name === path.index);
  if (!index || scan.limitHint !== null) return null;
  const keys = chooseRead(keysOnly(scan, index));
  if (keys.path.kind !== 'Query' || keys.path.index !== index.name) return null;
  let { table } = scan;
  let fallback: TableRead;
  let lookedUp: string | null = index.name;
  do {
    table = { ...table, indexes: table.indexes.filter(({ name }) => name !== lookedUp) };
    fallback = chooseRead({ ...scan, table });
    lookedUp = fallback.path.kind === 'IndexLookup' ? fallback.path.index : null;
  } while (lookedUp !== null);
  return { keys, fallback, unitsPerKey: unitsOfKeys(1, sizeOf(scan.table, null), consistent) };
}
