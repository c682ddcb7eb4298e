/**
 * What is written into PostgreSQL's catalogs by hand, for many tables at once: comments, estimates and storage. A statement
 * for each would take most of the time.
 */
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import type { TableObject } from './objects.ts';
import { quoteLiteral } from './quote.ts';

export interface PlacedTable {
  readonly schema: string;
  readonly table: TableObject;
}

type Cell = string | number;

const values = (rows: readonly (readonly Cell[])[]): string =>
  rows
    .map(
      (row) =>
        `(${row.map((cell) => (typeof cell === 'number' ? String(cell) : quoteLiteral(cell))).join(', ')})`,
    )
    .join(', ');

/** Tables by their names, as a relation `wanted` with the columns `schema`, `relation` and others. */
const NAMED = `JOIN pg_catalog.pg_namespace AS n ON n.nspname = wanted.schema::pg_catalog.name
  JOIN pg_catalog.pg_class AS r ON r.relnamespace = n.oid AND r.relname = wanted.relation::pg_catalog.name`;

const comments = ({ schema, table }: PlacedTable): readonly (readonly Cell[])[] => [
  [schema, table.name, '', table.comment],
  ...table.columns.map((column) => [schema, table.name, column.name, column.comment]),
];

/** The number of blocks that a table shows; an index keeps its own. */
const BLOCKS = `CASE c.relkind WHEN 'r' THEN ${SEGMENT_COUNT} ELSE c.relpages END`;

const estimates = ({ schema, table }: PlacedTable): readonly (readonly Cell[])[] => [
  [schema, table.name, Number(table.itemCount)],
  ...table.indexes.map((index) => [schema, index.name, Number(index.itemCount)]),
];

/** Of tables that are there. */
export function writeFacts(tables: readonly PlacedTable[]): readonly string[] {
  if (tables.length === 0) return [];
  const names = values(tables.map(({ schema, table }) => [schema, table.name]));
  return [
    `DELETE FROM pg_catalog.pg_description WHERE classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND objoid IN
       (SELECT r.oid FROM (VALUES ${names}) AS wanted (schema, relation) ${NAMED})`,
    `INSERT INTO pg_catalog.pg_description (objoid, classoid, objsubid, description)
       SELECT r.oid, 'pg_catalog.pg_class'::pg_catalog.regclass, coalesce(a.attnum, 0), wanted.text
       FROM (VALUES ${values(tables.flatMap(comments))}) AS wanted (schema, relation, attribute, text) ${NAMED}
       LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.oid AND NOT a.attisdropped
         AND a.attname = wanted.attribute::pg_catalog.name AND wanted.attribute <> ''
       WHERE wanted.attribute = '' OR a.attnum IS NOT NULL`,
    // Programs that share a table by ctid take its number of blocks from here: its blocks are the segments of a scan.
    `UPDATE pg_catalog.pg_class AS c SET reltuples = wanted.count, relpages = ${BLOCKS}
       FROM (VALUES ${values(tables.flatMap(estimates))}) AS wanted (schema, relation, count)
       JOIN pg_catalog.pg_namespace AS n ON n.nspname = wanted.schema::pg_catalog.name
       WHERE c.relnamespace = n.oid AND c.relname = wanted.relation::pg_catalog.name
         AND (c.reltuples <> wanted.count OR c.relpages <> ${BLOCKS})`,
    `UPDATE pg_catalog.pg_attribute AS a SET attstorage = t.typstorage
       FROM (VALUES ${names}) AS wanted (schema, relation) ${NAMED}, pg_catalog.pg_type AS t
       WHERE a.attrelid = r.oid AND t.oid = a.atttypid AND a.attnum > 0 AND a.attstorage <> t.typstorage`,
  ];
}
