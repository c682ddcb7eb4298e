/** Columns of statements over tables under PostgreSQL's types, and their values as it has them. */
import { expect } from 'chai';
import type { DescribedColumn } from '../../src/clients/postgres-clients.ts';
import { announcedColumns, columnWriter } from '../../src/postgres/types/announced.ts';
import { readInterval, intervalText } from '../../src/postgres/types/interval.ts';
import { MisfitError } from '../../src/postgres/types/misfit.ts';
import { OID } from '../../src/postgres/types/oids.ts';

const NUMERIC_12_2 = 4 + 12 * 65_536 + 2;
const [TEXTS, NUMERICS, JSONBS, INTS] = [1009, 1231, 3807, 1007];

describe('columns of PostgreSQL clients’ statements over tables', () => {
  const described = (type: DescribedColumn['type'], name = 'a'): DescribedColumn => ({
    ...{ name, type, attribute: '', isKey: false },
  });
  const theirs = (typeOid: number, typeModifier = -1, name = 'a') => ({ name, typeOid, typeModifier });
  const written = (typeOid: number, token: string, typeModifier = -1, format = 0): string => {
    const cell = columnWriter(theirs(typeOid, typeModifier), format)(token);
    return typeof cell === 'string' ? cell : (cell?.toString('hex') ?? 'NULL');
  };

  it('are announced as PostgreSQL does where the engine’s values can be written so, else as the engine does', () => {
    for (const [type, oid, announced] of [
      ['int8', OID.int4, OID.int4],
      ['int8', OID.numeric, OID.numeric],
      ['timestamp', OID.timestamptz, OID.timestamptz],
      ['jsonb', TEXTS, TEXTS],
      ['jsonb', OID.json, OID.json],
      ['text', OID.jsonb, OID.jsonb],
      ['int8', OID.jsonb, OID.jsonb],
      ['text', OID.bpchar, OID.bpchar],
      ['text', OID.numeric, OID.text],
      ['bool', OID.int4, OID.bool],
      ['numeric', OID.text, OID.numeric],
      ['text', TEXTS, OID.text],
      ['jsonb', 2205, OID.jsonb],
    ] as const)
      expect(announcedColumns([described(type)], [theirs(oid)]), `${type} as ${oid}`).to.deep.equal([
        theirs(announced),
      ]);
    // A star that PostgreSQL would answer with other columns, or in another order.
    // Digits that a session has set are those of numbers that have none of their own.
    expect(announcedColumns([described('numeric')], [theirs(OID.numeric)], NUMERIC_12_2)).to.deep.equal([
      theirs(OID.numeric, NUMERIC_12_2),
    ]);
    expect(announcedColumns([described('int8')], [theirs(OID.int8)], NUMERIC_12_2)).to.deep.equal([
      theirs(OID.int8),
    ]);
    const two = [described('int8', 'a'), described('int8', 'b')];
    const ours = [theirs(OID.int8, -1, 'a'), theirs(OID.int8, -1, 'b')];
    expect(announcedColumns(two, [theirs(OID.int4, -1, 'b'), theirs(OID.int4, -1, 'a')])).to.deep.equal(ours);
    expect(announcedColumns(two, [theirs(OID.int4)])).to.deep.equal(ours);
    expect(announcedColumns(two, null)).to.deep.equal(ours);
  });

  it('have values as PostgreSQL writes them: with the digits, spaces and zones that their types say', () => {
    for (const [oid, modifier, token, text] of [
      [OID.numeric, NUMERIC_12_2, '37', '37.00'],
      [OID.numeric, NUMERIC_12_2, '-1234567890.5000', '-1234567890.50'],
      [OID.numeric, NUMERIC_12_2, '1.2e3', '1200.00'],
      [OID.tid, -1, '"(7,12)"', '(7,12)'],
      [OID.numeric, NUMERIC_12_2, '37.1', '37.10'],
      [OID.numeric, 4 + 12 * 65_536, '37', '37'],
      [OID.bpchar, 4 + 6, '"C001"', 'C001  '],
      [OID.varchar, 4 + 6, '"C001"', 'C001'],
      [OID.timestamptz, -1, '"2026-11-29 05:14:32.208"', '2026-11-29 05:14:32.208+00'],
      [OID.timestamptz, -1, '"2026-11-29T05:14:32Z"', '2026-11-29 05:14:32+00'],
      [OID.timestamptz, -1, '"2026-11-29"', '2026-11-29 00:00:00+00'],
      [OID.timestamp, -1, '"2026-11-29"', '2026-11-29 00:00:00'],
      [OID.interval, -1, '"1 year 2 months -3 days 04:05:06.5"', '1 year 2 mons -3 days +04:05:06.5'],
      [OID.json, -1, '[1,2]', '[1,2]'],
      [OID.jsonb, -1, '"1000"', '"1000"'],
      [TEXTS, -1, '["a","b c","NULL","x\\"y",null,"",",","{"]', '{a,"b c","NULL","x\\"y",NULL,"",",","{"}'],
      [TEXTS, -1, '[["a"],["b"]]', '{{a},{b}}'],
      [NUMERICS, -1, '[1,2.50]', '{1,2.50}'],
      [JSONBS, -1, '[{"a":[1]},[2]]', '{"{\\"a\\":[1]}",[2]}'],
      [TEXTS, -1, '[]', '{}'],
    ] as const)
      expect(written(oid, token, modifier), `${token} as ${oid}`).to.equal(text);
    expect(written(INTS, '[1,null]', -1, 1)).to.equal(
      ['00000001', '00000001', '00000017', '00000002', '00000001', '00000004', '00000001', 'ffffffff'].join(
        '',
      ),
    );
    expect(written(TEXTS, '[]', -1, 1)).to.equal('000000000000000000000019');
    expect(written(OID.interval, '"1 month -1 days 00:00:01"', -1, 1)).to.equal(
      '00000000000f4240ffffffff00000001',
    );
    expect(written(OID.tid, '"(7,12)"', -1, 1)).to.equal('00000007000c');
    expect(written(OID.json, '{"a":1}', -1, 1)).to.equal(Buffer.from('{"a":1}').toString('hex'));
  });

  it('refuse what their types cannot hold', () => {
    for (const [oid, modifier, token] of [
      [OID.int4, -1, '3000000000'],
      [OID.int4, -1, '1.5'],
      [OID.numeric, NUMERIC_12_2, '1.234'],
      [OID.numeric, NUMERIC_12_2, '12345678901'],
      [OID.interval, -1, '"soon"'],
      [TEXTS, -1, '"a"'],
      [INTS, -1, '["a"]'],
    ] as const)
      expect(() => written(oid, token, modifier), token).to.throw(MisfitError);
  });

  it('are intervals in PostgreSQL’s words', () => {
    for (const [engine, postgres] of [
      ['2192 days', '2192 days'],
      ['1 month', '1 mon'],
      ['-13 months', '-1 years -1 mons'],
      ['-1 days 02:00:00', '-1 days +02:00:00'],
      ['1 day -02:00:00.000001', '1 day -02:00:00.000001'],
      ['00:00:00', '00:00:00'],
      ['100:00:00', '100:00:00'],
    ] as const) {
      const interval = readInterval(engine);
      expect(interval === null ? null : intervalText(interval), engine).to.equal(postgres);
    }
    expect(readInterval('')).to.equal(null);
    expect(readInterval('1 fortnight')).to.equal(null);
  });
});
