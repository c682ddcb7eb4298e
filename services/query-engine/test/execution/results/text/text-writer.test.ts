/** What goes out as bytes is what the cells' JSON texts would make, whatever the values. */
import type { DuckDBDataChunk } from '@duckdb/node-api';
import { expect } from 'chai';
import type { ColumnBatch } from '../../../../src/dynamodb/column-batch.ts';
import { jsonWriter } from '../../../../src/execution/results/json-values.ts';
import { csvField, csvHead, rowJoiner } from '../../../../src/execution/results/row-format.ts';
import { chunkPiece } from '../../../../src/execution/results/text/chunk-cells.ts';
import { columnCells, isShownAsIs } from '../../../../src/execution/results/text/column-cells.ts';
import type { FieldWriter } from '../../../../src/execution/results/text/field-writer.ts';
import type { RowPiece } from '../../../../src/execution/results/text/row-piece.ts';
import { createTextWriter, type TextFormat } from '../../../../src/execution/results/text/text-writer.ts';
import { chunkRows } from '../../../../src/execution/session/chunk-rows.ts';
import type { Database } from '../../../../src/execution/session/database.ts';
import {
  BINARY,
  BOOLEAN,
  DOUBLE,
  JSON_TYPE,
  REAL,
  TEXT,
  integer,
  temporal,
  type SqlType,
} from '../../../../src/duckdb-sql/types/sql-type.ts';
import { numberJson } from '../../../../src/planning/row-check.ts';
import { runInOneGo } from '../../../../src/scheduling/sliced-work.ts';
import { batchOf, type TestCell } from '../../batches.ts';
import { testDatabase } from '../../tables.ts';

const ALL = { offset: 0, count: Infinity };

async function textOf(
  format: TextFormat,
  names: readonly string[],
  pieceOf: (field: FieldWriter) => RowPiece,
  rows = ALL,
): Promise<{ readonly text: string; readonly batches: number; readonly rowCount: number }> {
  const writer = createTextWriter(format, 'array', names, rows, runInOneGo);
  const parts: Uint8Array[] = [];
  let counted = 0;
  for await (const { json, rowCount } of writer.add(pieceOf(writer.field))) {
    parts.push(json);
    counted += rowCount;
  }
  const rest = writer.rest();
  if (rest !== null) parts.push(rest.json);
  expect(counted + (rest?.rowCount ?? 0)).to.equal(writer.rowCount);
  return { text: Buffer.concat(parts).toString(), batches: parts.length, rowCount: writer.rowCount };
}

/** By way of each cell's JSON text. */
function expected(
  format: TextFormat,
  names: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const join = rowJoiner('array', names);
  if (format === 'ndjson') return rows.map((cells) => `${join(cells)}\n`).join('');
  return csvHead(names) + rows.map((cells) => `${cells.map(csvField).join(',')}\r\n`).join('');
}

const TEXTS = [
  '',
  'plain',
  'a text of more than twenty-four bytes, with a comma',
  'quotes " and \\ slashes',
  'lines\r\nand\ttabs\b\f',
  '\u0000\u0001\u001f\u007f\u2028',
  'é😀 ünïcode, long enough for a copy in one call',
  'x'.repeat(5_000),
  '"',
  ',',
  'null',
];
const NUMBERS = [
  '0',
  '-0',
  '7',
  '-12.5',
  '1.50',
  '007',
  '1E+3',
  '1e-7',
  '0.10',
  '123456789012345678901234567890',
  '.5',
  '5.',
];

const piece =
  ({ rowCount, columns }: ColumnBatch) =>
  (field: FieldWriter): RowPiece => ({
    rowCount,
    cells: columns.map((column) => columnCells(column, field)),
  });

describe('a whole result as text', () => {
  for (const format of ['ndjson', 'csv'] as const) {
    it(`has the cells of a page of items as JSON shows them: ${format}`, async () => {
      const rows: TestCell[][] = [...TEXTS, ...NUMBERS].map((_, i) => [
        TEXTS[i % TEXTS.length],
        { n: NUMBERS[i % NUMBERS.length]! },
        i % 3 === 0 ? undefined : i % 3 === 1 ? null : i % 2 === 0,
        { json: `{"a":${i},"b":"x\\ny"}` },
        TEXTS[1],
      ]);
      const shown = rows.map((_, i) => [
        JSON.stringify(TEXTS[i % TEXTS.length]),
        numberJson(NUMBERS[i % NUMBERS.length]!),
        i % 3 < 2 ? 'null' : String(i % 2 === 0),
        `{"a":${i},"b":"x\\ny"}`,
        JSON.stringify(TEXTS[1]),
      ]);
      const names = ['text', 'number', 'flag', 'document', 'clean'];
      const { text } = await textOf(format, names, piece(batchOf(rows, names.length)));
      expect(text).to.equal(expected(format, names, shown));
    });
  }

  it('leaves out what is not wanted, over several batches', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i): TestCell[] => [`row ${i} ${'y'.repeat(40)}`]);
    const made = await textOf('csv', ['t'], piece(batchOf(rows, 1)), { offset: 100, count: 15_000 });
    const lines = made.text.split('\r\n');
    expect([lines.length, made.rowCount]).to.deep.equal([15_002, 15_000]);
    expect([lines[1]!.slice(0, 8), lines[15_000]!.slice(0, 10)]).to.deep.equal(['row 100 ', 'row 15099 ']);
    expect(made.batches).to.be.greaterThan(2);
  });

  it('takes digits as they are only where they are shown so', () => {
    for (const number of [
      ...NUMBERS,
      '10',
      '100.001',
      '-0.0',
      '-0.5',
      '0.5',
      '00.5',
      '1.',
      '+1',
      '-',
      '1.2.3',
      '',
    ]) {
      const bytes = Buffer.from(number);
      const asIs = isShownAsIs(bytes, 0, bytes.length);
      const isNumber = Number.isFinite(Number(number)) && /^-?[\d.]/.test(number);
      expect(asIs, number).to.equal(isNumber && numberJson(number) === number);
    }
  });

  describe('of what DuckDB computes', () => {
    let database: Database;
    before(() => {
      database = testDatabase();
    });
    after(() => database.close());

    const chunksOf = async (sql: string): Promise<readonly DuckDBDataChunk[]> => {
      const connection = await database.connect();
      try {
        return await (await connection.stream(sql)).fetchAllChunks();
      } finally {
        connection.closeSync();
      }
    };
    const decimal = (width: number, scale: number): SqlType => ({
      kind: 'decimal',
      width,
      scale,
      integerDigits: width - scale,
    });

    /** Expressions of a number `i` from 0 on, and their types; each is NULL now and then. */
    const VALUES: readonly (readonly [sql: string, type: SqlType])[] = [
      ['CAST(i - 50 AS TINYINT)', integer(2)],
      ['CAST(i * -3 AS SMALLINT)', integer(4)],
      ['CAST(i * 100003 AS INTEGER)', integer(9)],
      ['(i - 60) * 90071992547409', integer(18)],
      ['9223372036854775807 - i', integer(19)],
      ['-9223372036854775808 + i', integer(19)],
      ['(i - 50)::HUGEINT * 1701411834604692317316873037158841057', integer(38)],
      ['(i - 50)::HUGEINT', integer(38)],
      ['CAST(i - 50 AS DECIMAL(4, 1)) / 10', decimal(4, 1)],
      ['CAST((i - 50) / 8 AS DECIMAL(9, 4))', decimal(9, 4)],
      ['CAST((i - 50) * 1234567.125 AS DECIMAL(18, 3))', decimal(18, 3)],
      ["CAST('-1234567890123456789012345678.0123456789' AS DECIMAL(38, 10)) + i", decimal(38, 10)],
      ['(i - 50) / 7', DOUBLE],
      ['power(10, i * 6 - 300)', DOUBLE],
      ["CASE i % 4 WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN '-inf'::DOUBLE ELSE -0.0::DOUBLE END", DOUBLE],
      ['CAST(CAST(i / 3 AS FLOAT) AS DOUBLE)', REAL],
      ['i % 2 = 0', BOOLEAN],
      ["repeat('ab,\"', i)", TEXT],
      ["'short ' || i", TEXT],
      ["chr(CAST(i + 1 AS INTEGER)) || 'é'", TEXT],
      ["encode(repeat('x', i))", BINARY],
      ["'{\"a\":[' || i || ',null]}'", JSON_TYPE],
      ["DATE '2024-01-01' + CAST(i AS INTEGER)", temporal('DATE')],
      ["TIMESTAMP '2024-01-01 00:00:00' + i * INTERVAL '1001 milliseconds'", temporal('TIMESTAMP')],
      ['ps_mixed_of_number(i)', { kind: 'mixed', number: DOUBLE, onlyNumbers: false, instants: false }],
      [
        "ps_mixed_of_text('a\"' || i)",
        { kind: 'mixed', number: DOUBLE, onlyNumbers: false, instants: false },
      ],
    ];

    for (const format of ['ndjson', 'csv'] as const)
      it(`has all types' values as JSON shows them: ${format}`, async () => {
        const types = VALUES.map(([, type]) => type);
        const names = VALUES.map((_, i) => `c${i}`);
        const columns = VALUES.map(([sql], c) => `CASE WHEN i % 11 = ${c % 11} THEN NULL ELSE ${sql} END`);
        for (const chunk of await chunksOf(`SELECT ${columns.join(', ')} FROM range(0, 101) t(i)`)) {
          let [unwritable, unwritten] = [0, 0];
          const writers = types.map((type) => jsonWriter(type, () => unwritten++));
          const cells = [...chunkRows(chunk, writers)];
          const made = await textOf(format, names, (field) =>
            chunkPiece(chunk, types, field, () => unwritable++),
          );
          expect(made.text).to.equal(expected(format, names, cells));
          expect(unwritable).to.equal(unwritten).and.to.be.greaterThan(0);
        }
      });
  });
});
