/** Pages of a segment whose rows tell which it is, and where in it they are. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { relationName } from '../../catalog/index-relation.ts';
import { CTID_OFFSET_MAX, ctidsOf, toldBy } from '../../catalog/segment-relation.ts';
import type { ToldColumn } from '../../catalog/table.ts';
import { typeBit, TypeCode, type ColumnBatch, type ColumnVector } from '../column-batch.ts';
import { ColumnSink, sizeAfter } from '../decode/column-sink.ts';
import type { TableRead } from '../table-read.ts';
import { scanPages } from './pages.ts';
import type { StartKey } from './request.ts';
import type { ReadSession } from './send-page.ts';

/**
 * The pages of one segment behind `from`. Places are counted from the first page on.
 * @throws PenstockError UNSUPPORTED_SQL where an item has an attribute of such a column's name, or a segment more items than
 * a `ctid` can show
 */
export async function* segmentPages(
  session: ReadSession,
  segment: number,
  from: StartKey,
): AsyncGenerator<ColumnBatch> {
  const { read } = session;
  const told = read.columns.map(({ path }) => toldBy(read.table, path));
  let before = 0;
  for await (const batch of scanPages(session, segment, from)) {
    yield read.countOnly ? batch : toldIn(batch, told, { read, segment, before });
    before += batch.rowCount;
  }
}

interface Place {
  readonly read: TableRead;
  readonly segment: number;
  /** Rows of the segment in earlier pages. */
  readonly before: number;
}

function toldIn(batch: ColumnBatch, told: readonly (ToldColumn | null)[], place: Place): ColumnBatch {
  const columns = batch.columns.map((vector, i) => {
    const column = told[i] ?? null;
    if (column === null) return vector;
    if (vector.typesSeen !== typeBit(TypeCode.MISSING)) throw ownAttribute(place.read, i);
    return vectorOf(column, batch.rowCount, place);
  });
  return { rowCount: batch.rowCount, columns };
}

/** As many as most cells have, to begin with. */
const CELL_BYTES = 13;

function vectorOf(column: ToldColumn, rowCount: number, { read, segment, before }: Place): ColumnVector {
  if (column === 'ctid' && before + rowCount > CTID_OFFSET_MAX) throw tooManyRows(read, segment);
  const { first } = ctidsOf(segment);
  const text = (row: number): string => {
    if (column === 'segment') return String(segment);
    return column === 'ctid' ? `(${segment},${before + row + 1})` : String(first + BigInt(before + row));
  };
  const type = column === 'ctid' ? TypeCode.S : TypeCode.N;
  const sink = new ColumnSink(sizeAfter(rowCount, rowCount * CELL_BYTES));
  for (let row = 0; row < rowCount; row++) sink.setText(row, type, text(row));
  return sink.finish(rowCount);
}

const ownAttribute = ({ table, columns }: TableRead, at: number): PenstockError => {
  const name = String(columns[at]?.path[0]);
  return new PenstockError(
    'UNSUPPORTED_SQL',
    `Items of ${table.schemaName}.${table.tableName} have an attribute ${name} of their own, which ${relationName(table)} cannot show`,
    { detail: 'read the table without it' },
  );
};

const tooManyRows = ({ table }: TableRead, segment: number): PenstockError =>
  new PenstockError(
    'UNSUPPORTED_SQL',
    `Segment ${segment} of ${table.schemaName}.${table.tableName} has more than ${CTID_OFFSET_MAX} items, which ctid cannot show`,
    { detail: `compare ctid with '(n,0)', or read ${table.schemaName}.${table.tableName}."$segments"` },
  );
