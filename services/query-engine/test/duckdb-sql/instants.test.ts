/** Texts that spell dates and times, on DuckDB: in each form of ISO 8601 that programs store, as PostgreSQL reads it. */
import { expect } from 'chai';
import { writeCast } from '../../src/duckdb-sql/cast.ts';
import { compare } from '../../src/duckdb-sql/comparison.ts';
import { quoteText, writeLiteral } from '../../src/duckdb-sql/literal.ts';
import { toTemporal } from '../../src/duckdb-sql/types/convert.ts';
import { DOUBLE, TEXT, mixed, type Typed } from '../../src/duckdb-sql/types/sql-type.ts';
import type { Database } from '../../src/execution/session/database.ts';
import { openSession, type Session } from '../../src/execution/session/session.ts';
import { testDatabase } from '../execution/tables.ts';

const TEN = '2024-05-01 10:00:00';

const READ: readonly (readonly [text: string, timestamp: string | null])[] = [
  ['2024-05-01T10:00Z', TEN],
  ['2024-05-01T10:00', TEN],
  ['2024-05-01 12:00+02:00', TEN],
  ['2024-05-01T12:00+0200', TEN],
  ['2024-05-01T08:00-02', TEN],
  ['20240501T100000Z', TEN],
  ['20240501T1000Z', TEN],
  ['20240501T100000.5+0000', '2024-05-01 10:00:00.5'],
  ['20240501', '2024-05-01 00:00:00'],
  ['2024-05-01t10:00:00z', TEN],
  ['2024-05-01t10:00z', TEN],
  ['2024-05-01T09:59:60Z', TEN],
  ['2024-12-31T23:59:60.000Z', '2025-01-01 00:00:00'],
  ['2024-05-01T10:00:00Z', TEN],
  ['2024-05-01T24:00:00', '2024-05-02 00:00:00'],
  ['2024-5-1', '2024-05-01 00:00:00'],
  ['20241301', null],
  ['20240501T10', null],
  ['2024-05-01T10:61Z', null],
  ['2024-05-01T10:00:61Z', null],
  ['2024-05-01T10:00Zulu', null],
  ['12345678901', null],
  ['n/a', null],
  ['', null],
];

describe('a text as a date or time', () => {
  let database: Database;
  let session: Session;
  before(async () => {
    database = testDatabase();
    session = await openSession(database, { signal: new AbortController().signal, columnNames: new Map() });
  });
  after(async () => {
    session.close();
    await database.close();
  });

  async function valueOf(sql: string, text: string): Promise<unknown> {
    let value: unknown = undefined;
    const from = `(SELECT ${quoteText(text)} AS c1, ps_mixed_of_text(${quoteText(text)}) AS c2)`;
    for await (const chunk of session.stream(`SELECT CAST(${sql} AS VARCHAR) FROM ${from}`))
      value = chunk.getColumnVector(0).getItem(0);
    return value;
  }

  const column: Typed = { sql: 'c1', type: TEXT };
  const computed: Typed = { sql: `concat(c1, '')`, type: TEXT };
  const moment: Typed = writeLiteral({ type: 'temporal', sqlType: 'TIMESTAMP', value: TEN });

  for (const [text, timestamp] of READ) {
    it(`${JSON.stringify(text)} is ${timestamp ?? 'none'}`, async () => {
      for (const value of [column, computed, { sql: quoteText(text), type: TEXT }]) {
        expect(await valueOf(toTemporal(value, 'TIMESTAMP'), text)).to.equal(timestamp);
        const zoned = timestamp === null ? null : `${timestamp}+00`;
        expect(await valueOf(toTemporal(value, 'TIMESTAMPTZ'), text)).to.equal(zoned);
        expect(await valueOf(toTemporal(value, 'DATE'), text)).to.equal(timestamp?.slice(0, 10) ?? null);
      }
      const cast = writeCast(column, 'TIMESTAMP', false).sql;
      const made = await valueOf(cast, text).catch((error: unknown) => String(error));
      if (timestamp === null) expect(made).to.match(/Conversion/);
      else expect(made).to.equal(timestamp);
    });
  }

  it('is none in a column where no range of keys would find it, as it is in what a statement makes', async () => {
    const others = [
      '12024-05-01',
      '24-05-01',
      '-2024-05-01',
      '2024-05-01 (BC)',
      ' 2024-05-01',
      '2024 05 01',
      'epoch',
      '2024-05-01 10:00:00+16',
      '2024-5-1 10:00:00',
    ];
    for (const text of others) {
      expect(await valueOf(toTemporal(column, 'TIMESTAMP'), text), text).to.equal(null);
      expect(await valueOf(toTemporal(computed, 'TIMESTAMP'), text), text).not.to.equal(null);
      const failure = await valueOf(writeCast(column, 'TIMESTAMP', false).sql, text).catch(String);
      expect(failure, text).to.match(/Conversion.*not ISO 8601/);
    }
    for (const text of [
      '2024/5/1',
      '2024/05/01 10:00',
      '2024-11-3',
      '20240501',
      '2024-05-01 10:00:00 Etc/GMT+5',
      'infinity',
      '-inf',
    ])
      expect(await valueOf(toTemporal(column, 'TIMESTAMP'), text), text).not.to.equal(null);
  });

  it('compares as what it spells, in a column of several types too', async () => {
    for (const [text, timestamp] of READ)
      for (const value of [column, { sql: 'c2', type: mixed(DOUBLE) }])
        expect(await valueOf(compare('=', value, moment), text), text).to.equal(String(timestamp === TEN));
    const zoned: Typed = {
      sql: `ps_mixed_of_temporal(TIMESTAMP '${TEN}')`,
      type: mixed(DOUBLE, false, true),
    };
    expect(await valueOf(compare('=', { sql: 'c2', type: mixed(DOUBLE) }, zoned), '20240501T1000Z')).to.equal(
      'true',
    );
  });
});
