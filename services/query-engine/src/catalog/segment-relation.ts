/**
 * A table of whose items a statement asks in which part of a scan they are: `FROM schema.table."$segments"` has a column
 * `segment` more, and PostgreSQL's clients ask for `ctid`. Other engines share a large read among their tasks by ranges of
 * these, and each range reads its own segments and nothing else, so that all of them together cost one scan.
 *
 * Source: DynamoDB's developer guide, "Parallel scan": each item is in one of the segments, whose number the request says.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import { CTID_COLUMNS } from '../parser/postgresql/ctid.ts';
import type { CatalogTable, ToldColumn } from './table.ts';

/** The name, in the place of an index's. No index can be called so: `$` is none of the characters that DynamoDB allows. */
export const SEGMENTS_NAME = '$segments';

const SEGMENT_COLUMN = 'segment';
/** What TABLESAMPLE goes by. */
export const SAMPLED_SEGMENT = '$segment';

type Told = readonly (readonly [name: string, tells: ToldColumn])[];

const withTold = (table: CatalogTable, told: Told, relation = table.relation): CatalogTable =>
  Object.freeze({
    ...table,
    told: new Map([...(table.told ?? []), ...told]),
    ...(relation === undefined ? {} : { relation }),
  });

/** The table with the column `segment`. */
export const segmentRelation = remembered((table: CatalogTable): CatalogTable =>
  withTold(table, [[SEGMENT_COLUMN, 'segment']], SEGMENTS_NAME),
);

const ctidRelation = remembered((table: CatalogTable): CatalogTable =>
  withTold(table, [
    [CTID_COLUMNS.number, 'ctid number'],
    [CTID_COLUMNS.shown, 'ctid'],
  ]),
);

const sampledRelation = remembered((table: CatalogTable): CatalogTable =>
  withTold(table, [[SAMPLED_SEGMENT, 'segment']]),
);

/** The table with what is known of each row's `ctid`; `*` shows none of it. Entries of an index have none. */
export const withCtid = (table: CatalogTable): CatalogTable =>
  table.entriesOf === undefined ? ctidRelation(table) : table;

/** The table with the segments of its rows under a name that no statement knows. Entries of an index have none. */
export const withSampledSegments = (table: CatalogTable): CatalogTable =>
  table.entriesOf === undefined ? sampledRelation(table) : table;

/** What a column tells of a row that is none of its item's attributes; null of an attribute. */
export function toldBy(
  { told }: Pick<CatalogTable, 'told'>,
  path: readonly (string | number)[],
): ToldColumn | null {
  const [name] = path;
  return (typeof name === 'string' && path.length === 1 ? told?.get(name) : null) ?? null;
}

/** Whether a column tells of a row's place among those of its segment. */
export const countsRows = (
  table: Pick<CatalogTable, 'told'>,
  { path }: { readonly path: readonly (string | number)[] },
): boolean => (toldBy(table, path) ?? 'segment') !== 'segment';

/** The names of such columns that `*` shows. */
export const toldNames = ({ relation }: CatalogTable): readonly string[] =>
  relation === SEGMENTS_NAME ? [SEGMENT_COLUMN] : [];

/** Offsets of a `ctid` that can be shown: PostgreSQL's have 16 bits, and begin at 1. */
export const CTID_OFFSET_MAX = 65_535;
/** A segment's places as numbers: more than it can have items. */
const PLACES = 2n ** 32n;

/** A `ctid` as a number, in whose order they are: the segment is PostgreSQL's block. */
export const ctidNumber = (segment: bigint, offset: bigint): bigint => segment * PLACES + offset;

/** Which segment such a number is of. */
export const segmentOf = (number: bigint): number => Number(number / PLACES);

/** The numbers that rows of a segment may have. */
export const ctidsOf = (segment: number): { readonly first: bigint; readonly last: bigint } => ({
  first: ctidNumber(BigInt(segment), 1n),
  last: ctidNumber(BigInt(segment), PLACES - 1n),
});

/** Those of all rows. */
export const CTID_RANGE = Object.freeze({
  first: ctidsOf(0).first,
  last: ctidsOf(SEGMENT_COUNT - 1).last,
});
