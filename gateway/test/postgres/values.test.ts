import { expect } from 'chai';
import { cellTokens, createLines } from '../../src/postgres/results/json-rows.ts';
import { readTextArray } from '../../src/postgres/types/arrays.ts';
import { numericBytes, numericText } from '../../src/postgres/types/numeric-bytes.ts';
import { plainNumber } from '../../src/postgres/types/plain-number.ts';
import { parameterJson } from '../../src/postgres/types/read-value.ts';
import { MisfitError } from '../../src/postgres/types/misfit.ts';
import { valueWriter } from '../../src/postgres/types/write-value.ts';
import { OID } from '../../src/postgres/types/oids.ts';
import { PgError } from '../../src/postgres/errors/pg-error.ts';

describe('values of PostgreSQL clients', () => {
  it('keep every digit of a number, without exponents', () => {
    for (const [token, plain] of [
      ['12345678901234567890.5', '12345678901234567890.5'],
      ['1e+21', '1000000000000000000000'],
      ['-1.5E-7', '-0.00000015'],
      ['1.25e1', '12.5'],
      ['0e10', '0'],
      ['100e-2', '1.00'],
    ])
      expect(plainNumber(token!)).to.equal(plain);
    expect(plainNumber('"1"')).to.equal(null);
  });

  it('are the same number in binary as in text', () => {
    for (const text of [
      ...['0', '1', '-1', '10000', '9999', '0.0001', '0.00010', '123456789.987654321', '-0.5', '1.00'],
      ...['99999999999999999999999999999999999999', '0.00000000000000000000000000000000000001', '12345'],
    ])
      expect(numericText(numericBytes(text))).to.equal(text);
    // As PostgreSQL 15 sends them.
    expect(numericBytes('12345.678').toString('hex')).to.equal(
      '00030001000000030001092 91a7c'.replace(' ', ''),
    );
    expect(numericBytes('-0.0001').toString('hex')).to.equal('0001ffff400000040001');
  });

  it('that do not fit their type are no other value', () => {
    for (const [type, token] of [
      ['numeric', '"text"'],
      ['numeric', 'true'],
      ['int4', '2147483648'],
      ['int8', '1.5'],
      ['bool', '1'],
      ['bytea', '"not base64!"'],
      ['bytea', '5'],
    ] as const)
      for (const format of [0, 1])
        expect(() => valueWriter(type, format)(token), `${type} ${token}`).to.throw(MisfitError);
  });

  it('of several types are text', () => {
    const write = valueWriter('text', 0);
    expect(['"a\\nb"', '1.50', 'true', '{"a":1}'].map(write)).to.deep.equal([
      'a\nb',
      '1.50',
      'true',
      '{"a":1}',
    ]);
  });

  it('are parameters in text and in binary', () => {
    const binary = (hex: string): Buffer => Buffer.from(hex, 'hex');
    for (const [oid, value, format, json] of [
      [OID.int4, binary('fffffffe'), 1, '-2'],
      [OID.int8, Buffer.from('12345678901234567'), 0, '12345678901234567'],
      [OID.numeric, Buffer.from('+1.50'), 0, '1.50'],
      [OID.float8, binary('3ff8000000000000'), 1, '1.5'],
      [OID.bool, binary('01'), 1, 'true'],
      [OID.bool, Buffer.from('off'), 0, 'false'],
      [OID.text, Buffer.from('a"b'), 0, '"a\\"b"'],
      [OID.bytea, Buffer.from('\\x0102'), 0, '"AQI="'],
      // Its older form: bytes as they are, in octal behind a backslash, and two backslashes for one.
      [OID.bytea, Buffer.from('\\001\\002'), 0, '"AQI="'],
      [OID.bytea, Buffer.from('a\\\\é'), 0, '"YVzDqQ=="'],
      [OID.bytea, Buffer.from(''), 0, '""'],
      [OID.date, binary('00002253'), 1, '"2024-01-22"'],
      [1007, binary('00000001000000000000001700000002000000010000000400000001ffffffff'), 1, '[1,null]'],
      [1009, Buffer.from('{a,"b c",NULL,"NULL"}'), 0, '["a","b c",null,"NULL"]'],
      [OID.interval, binary('00000000000f42400000000200000001'), 1, '"1 months 2 days 00:00:01"'],
      [OID.interval, binary('fffffffffff0bdc00000000000000000'), 1, '"-00:00:01"'],
    ] as const)
      expect(parameterJson(oid, value, format)).to.equal(json);
  });

  it('are dates and times without what does not belong to their type, as drivers send them', () => {
    for (const [oid, text, json] of [
      // setDate, setTimestamp and setTime of pgjdbc
      [OID.date, '2024-02-29 +00', '"2024-02-29"'],
      [OID.timestamp, '2024-02-29 01:02:03.5+02', '"2024-02-29 01:02:03.5"'],
      [OID.timestamptz, '2024-02-29 01:02:03.5+02', '"2024-02-29 01:02:03.5+02"'],
      [OID.time, '01:02:03+00', '"01:02:03"'],
      [OID.date, '2024-2-9T10:00:00Z', '"2024-02-09"'],
      [OID.timestamp, '2024-02-29', '"2024-02-29 00:00:00"'],
      [OID.timestamptz, '2024-02-29T01:02Z', '"2024-02-29 01:02:00+00"'],
    ] as const)
      expect(parameterJson(oid, Buffer.from(text), 0)).to.equal(json);
    for (const [oid, text, code] of [
      [OID.date, 'soon', '22007'],
      [OID.date, '2024-02-30', '22008'],
      [OID.timestamp, '2024-02-29 25:00:00', '22008'],
      [OID.time, '10', '22007'],
    ] as const)
      expect(() => parameterJson(oid, Buffer.from(text), 0), text)
        .to.throw(PgError)
        .with.nested.property('fields.code', code);
  });

  it('that are no value of their type are refused by name', () => {
    for (const [oid, text] of [
      [OID.int4, 'x'],
      [OID.int4, '1.5'],
      [OID.numeric, 'NaN'],
      [OID.bool, 'maybe'],
      [OID.bytea, '\\xg'],
      [OID.bytea, '\\x0'],
      [OID.bytea, 'a\\'],
      [OID.bytea, '\\400'],
      [1009, '{a'],
      [1009, '{"a'],
    ] as const)
      expect(() => parameterJson(oid, Buffer.from(text), 0), text).to.throw(/invalid input syntax|malformed/);
  });

  it('stand in arrays as PostgreSQL writes them', () => {
    expect(readTextArray('{}')).to.deep.equal([]);
    expect(readTextArray(' { 1 , 2 } ')).to.deep.equal(['1', '2']);
    expect(readTextArray('{"a\\"b","c\\\\d",","}')).to.deep.equal(['a"b', 'c\\d', ',']);
    expect(() => readTextArray('{{1},{2}}')).to.throw('several dimensions');
  });

  it('are cut out of rows of JSON as they stand there', () => {
    expect(cellTokens('[1.50,"a,]\\"b\\\\",null,{"x":[1,"}"]},[],""]')).to.deep.equal([
      ...['1.50', '"a,]\\"b\\\\"', 'null', '{"x":[1,"}"]}', '[]', '""'],
    ]);
    const lines = createLines();
    const bytes = Buffer.from('["é"]\n["ü"]\n');
    expect([...lines(bytes.subarray(0, 3)), ...lines(bytes.subarray(3))]).to.deep.equal(['["é"]', '["ü"]']);
  });
});
