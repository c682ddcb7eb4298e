/** A plain DuckDB that holds values tagged with their types, and the definition of comparisons as macros over them. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EngineTable } from './engine-table.ts';

/** Exact for the numbers that the tests have. */
const NUMBER = 'DECIMAL(38, 10)';

const MACROS = [
  `number_of(x) AS CASE x.k WHEN 'N' THEN CAST(x.t AS ${NUMBER}) WHEN 'BOOL' THEN CAST(x.t = 'true' AS INTEGER)
    WHEN 'S' THEN TRY_CAST(x.t AS ${NUMBER}) END`,
  `truth_of(x) AS CASE x.k WHEN 'BOOL' THEN x.t = 'true' WHEN 'S' THEN TRY_CAST(x.t AS BOOLEAN) END`,
  `bytes_of(x) AS CASE x.k WHEN 'B' THEN from_base64(x.t) END`,
  `sign_of(a, b) AS CASE WHEN a IS NULL OR b IS NULL THEN NULL WHEN a < b THEN -1 WHEN a > b THEN 1 ELSE 0 END`,
  // 2: unlike.
  `sign_between(x, y) AS CASE WHEN x IS NULL OR y IS NULL THEN NULL
    WHEN x.k = 'N' OR y.k = 'N' THEN coalesce(sign_of(number_of(x), number_of(y)), 2)
    WHEN x.k = 'BOOL' OR y.k = 'BOOL' THEN coalesce(sign_of(truth_of(x), truth_of(y)), 2)
    WHEN x.k = 'B' AND y.k = 'B' THEN sign_of(bytes_of(x), bytes_of(y))
    WHEN x.k = y.k OR x.k = 'S' OR y.k = 'S' THEN sign_of(x.t, y.t) ELSE 2 END`,
  // Where a value sorts: by kind, then as it compares with its like.
  `place(x) AS CASE WHEN x IS NOT NULL THEN {'k': list_position(['N', 'S', 'BOOL', 'B', 'JSON'], x.k),
    'n': CASE x.k WHEN 'N' THEN number_of(x) END, 'b': hex(bytes_of(x)), 't': x.t} END`,
  `shown(x) AS CASE WHEN x.k IN ('N', 'BOOL', 'JSON') THEN x.t ELSE to_json(x.t)::VARCHAR END`,
];

const TESTS: Readonly<Record<string, string>> = {
  '=': '= 0',
  '<>': '<> 0',
  '<': '= -1',
  '<=': 'IN (-1, 0)',
  '>': '= 1',
  '>=': 'IN (0, 1)',
};

/** A comparison of two values of the reference. */
export function holds(operator: string, x: string, y: string): string {
  return `(sign_between(${x}, ${y}) ${TESTS[operator] ?? ''})`;
}

function taggedValue(value: AttributeValue | undefined): string {
  const tag = (type: string, text: string): string =>
    `{'k': '${type}', 't': '${text.replaceAll("'", "''")}'}`;
  if (value?.N !== undefined) return tag('N', value.N);
  if (value?.S !== undefined) return tag('S', value.S);
  if (value?.BOOL !== undefined) return tag('BOOL', String(value.BOOL));
  if (value?.B !== undefined) return tag('B', Buffer.from(value.B).toString('base64'));
  if (value?.L !== undefined) return tag('JSON', `[${value.L.map(({ N }) => N).join(',')}]`);
  return 'NULL';
}

/** Makes the table and the macros. Numbers of the items must be canonical: without idle zeros. */
export async function loadMixedReference(
  connection: DuckDBConnection,
  name: string,
  { items }: EngineTable,
  columns: readonly string[],
): Promise<void> {
  for (const macro of MACROS) await connection.run(`CREATE MACRO ${macro}`);
  await connection.run(
    `CREATE TABLE shop.${name} (${columns.map((column) => `${column} STRUCT(k VARCHAR, t VARCHAR)`).join(', ')})`,
  );
  for (const item of items) {
    const values = columns.map((column) => taggedValue(item[column]));
    await connection.run(`INSERT INTO shop.${name} VALUES (${values.join(', ')})`);
  }
}
