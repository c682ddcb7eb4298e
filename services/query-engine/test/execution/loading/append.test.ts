import { expect } from 'chai';
import type { SqlType } from '../../../src/duckdb-sql/types/sql-type.ts';
import { BINARY, BOOLEAN, DOUBLE, TEXT, integer, mixed } from '../../../src/duckdb-sql/types/sql-type.ts';
import { createBatchAppender } from '../../../src/execution/loading/append.ts';
import { createEmpty } from '../../../src/execution/loading/load-read.ts';
import { openSession } from '../../../src/execution/session/session.ts';
import { batchOf, type TestCell } from '../batches.ts';
import { testDatabase } from '../tables.ts';

const decimal = (width: number, scale: number): SqlType => ({
  kind: 'decimal',
  width,
  scale,
  integerDigits: width - scale,
});
const bigint: SqlType = { kind: 'integer', sql: 'BIGINT', integerDigits: 19 };
const hugeint: SqlType = { ...integer(38), sql: 'HUGEINT' };

describe('what is appended to DuckDB', () => {
  const database = testDatabase();
  after(() => database.close());

  /** The cells after they have been in a table of one column, as DuckDB's text. */
  async function stored(type: SqlType, ...batches: (readonly TestCell[])[]): Promise<(string | null)[]> {
    const session = await openSession(database, {
      signal: new AbortController().signal,
      columnNames: new Map(),
    });
    try {
      await createEmpty(session, 't', [type]);
      const appender = createBatchAppender([type]);
      await session.append('t', function* (to) {
        for (const cells of batches)
          yield* appender.append(
            to,
            batchOf(
              cells.map((cell) => [cell]),
              1,
            ),
          );
      });
      const rows = await session.rows('SELECT CAST(k0 AS VARCHAR) FROM t ORDER BY rowid');
      return rows.map(([text]) => (typeof text === 'string' ? text : null));
    } finally {
      session.close();
    }
  }

  it('keeps texts of every length, whatever stands beside them', async () => {
    const texts = Array.from({ length: 40 }, (_, length) =>
      'abcdefghijklmnopqrstuvwxyz'.repeat(2).slice(0, length),
    );
    const odd = [
      '',
      'größe',
      'naïve façade 漢字',
      '😀😀😀😀',
      'a\u0000b',
      '\u0000'.repeat(20),
      'x'.repeat(300_000),
    ];
    const cells = [...texts, null, ...odd, undefined, ...texts.toReversed()];
    expect(await stored(TEXT, cells)).to.deep.equal(cells.map((cell) => cell ?? null));
  });

  it('keeps rows beyond one chunk, and nothing of the chunk before', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => (i % 7 === 0 ? null : `a text of row number ${i}`));
    const short = Array.from({ length: 2049 }, (_, i) => (i % 3 === 0 ? undefined : String(i)));
    const all = [...rows, ...short, ...rows];
    expect(await stored(TEXT, rows, short, rows)).to.deep.equal(all.map((cell) => cell ?? null));
  });

  it('keeps every digit of whole numbers', async () => {
    const numbers = [
      ...[
        '0',
        '-0',
        '1',
        '-1',
        '007',
        '4294967295',
        '4294967296',
        '-4294967296',
        '-4294967297',
        '2147483648',
      ],
      ...[
        '999999999999999',
        '-999999999999999',
        '1000000000000000',
        '9007199254740993',
        '1E3',
        '+12',
        '1.0',
        '12.00',
      ],
      ...['9223372036854775807', '-9223372036854775808'],
    ];
    const expected = [
      ...['0', '0', '1', '-1', '7', '4294967295', '4294967296', '-4294967296', '-4294967297', '2147483648'],
      ...[
        '999999999999999',
        '-999999999999999',
        '1000000000000000',
        '9007199254740993',
        '1000',
        '12',
        '1',
        '12',
      ],
      ...['9223372036854775807', '-9223372036854775808'],
    ];
    const cells = numbers.map((n) => ({ n }));
    expect(await stored(bigint, [null, ...cells])).to.deep.equal([null, ...expected]);
    const beyond = ['9223372036854775808', '-12345678901234567890123456789012345678'];
    expect(await stored(hugeint, [...cells, ...beyond.map((n) => ({ n }))])).to.deep.equal([
      ...expected,
      ...beyond,
    ]);
  });

  it('keeps every digit of decimals', async () => {
    const numbers = [
      '0',
      '1',
      '-1',
      '0.01',
      '-0.01',
      '.5',
      '5.',
      '123.4',
      '-123456789012.34',
      '1.5E1',
      '1234567890123456.78',
    ];
    const expected = ['0.00', '1.00', '-1.00', '0.01', '-0.01', '0.50', '5.00', '123.40', '-123456789012.34', '15.00', '1234567890123456.78']; // oxfmt-ignore
    const cells = numbers.map((n) => ({ n }));
    expect(await stored(decimal(18, 2), [...cells, undefined])).to.deep.equal([...expected, null]);
    expect(
      await stored(decimal(38, 2), [...cells, { n: '-123456789012345678901234567890.12' }]),
    ).to.deep.equal([...expected, '-123456789012345678901234567890.12']);
  });

  it('keeps truth values, doubles and bytes', async () => {
    expect(await stored(BOOLEAN, [true, false, null, true])).to.deep.equal(['true', 'false', null, 'true']);
    expect(await stored(DOUBLE, [{ n: '1E+100' }, null, { n: '-2.5' }])).to.deep.equal([
      '1e+100',
      null,
      '-2.5',
    ]);
    const long = Buffer.from('a longer row of bytes');
    const blobs = [{ b: 'AAE=' }, null, { b: long.toString('base64') }, { b: '' }, { b: 'YQ==' }];
    const expected = ['\\x00\\x01', null, long.toString(), '', 'a'];
    expect(await stored(BINARY, blobs)).to.deep.equal(expected);
    const many = Array.from({ length: 3000 }, () => ({ b: long.toString('base64') }));
    expect(await stored(BINARY, many)).to.deep.equal(many.map(() => long.toString()));
  });

  it('keeps values of several types in one column', async () => {
    const cells = Array.from({ length: 2100 }, (_, i) => [i, `text ${i}`, null, undefined][i % 4]);
    const texts = await stored(mixed(DOUBLE), cells);
    expect(texts[2096]).to.match(/'t': '?2096/);
    expect(texts[2097]).to.match(/'t': '?text 2097/);
    expect(texts.slice(2098)).to.deep.equal([null, null]);
  });

  it('takes a read of no columns as rows', async () => {
    const session = await openSession(database, {
      signal: new AbortController().signal,
      columnNames: new Map(),
    });
    await createEmpty(session, 't', []);
    const rows = 3000;
    await session.append('t', (to) => createBatchAppender([]).append(to, { rowCount: rows, columns: [] }));
    expect(await session.rows('SELECT COUNT(*), COUNT("none") FROM t')).to.deep.equal([[3000n, 0n]]);
    session.close();
  });
});
