import { expect } from 'chai';
import { parse } from '../../../src/parser/parse.ts';
import { readByItsRules } from '../../../src/parser/postgresql/read-by-its-rules.ts';

/** What PostgreSQL 15.18 was seen to call them. */
const OUTPUT_NAMES: Readonly<Record<string, string>> = Object.freeze({
  'count(*)': 'count',
  'sum(total)': 'sum',
  'max(DISTINCT total)': 'max',
  'count(*) FILTER (WHERE total > 1)': 'count',
  'row_number() OVER (ORDER BY total)': 'row_number',
  'Lower(name)': 'lower',
  'trim(name)': 'btrim',
  "trim(LEADING 'a' FROM name)": 'ltrim',
  'substring(name FROM 1 FOR 2)': 'substring',
  "position('a' IN name)": 'position',
  'extract(year FROM CAST(at AS timestamp))': 'extract',
  "CAST(at AS timestamp) AT TIME ZONE 'UTC'": 'timezone',
  current_date: 'current_date',
  localtimestamp: 'localtimestamp',
  'now()': 'now',
  'coalesce(name, at)': 'coalesce',
  'nullif(name, at)': 'nullif',
  'greatest(1, 2)': 'greatest',
  'total::int': 'total',
  'CAST(total AS varchar(3))': 'total',
  '(total + 1)::bigint': 'int8',
  "'1'::int": 'int4',
  "'x'::varchar(3)": 'varchar',
  "'x'::timestamp(3) with time zone": 'timestamptz',
  "'x'::char(3)": 'bpchar',
  '1::double precision': 'float8',
  '1::float(3)': 'float4',
  '1::decimal(12, 2)': 'numeric',
  "'t'::boolean": 'bool',
  "'2026-01-01'::timestamp with time zone": 'timestamptz',
  'ARRAY[1, 2]::int[]': 'array',
  'sum(total)::text': 'sum',
  "CASE WHEN total > 1 THEN 'a' END": 'case',
  "CASE WHEN total > 1 THEN 'a' ELSE name END": 'name',
  'CASE WHEN total > 1 THEN 1 ELSE 2::int END': 'case',
  'EXISTS (SELECT 1)': 'exists',
  'NOT EXISTS (SELECT 1)': '?column?',
  '(SELECT max(total) FROM t)': 'max',
  '(SELECT 1 AS one)': 'one',
  '(SELECT 1 UNION SELECT 2)': '?column?',
  '(VALUES (1))': 'column1',
  'ARRAY(SELECT total FROM t)': 'array',
  'ARRAY[1, 2]': 'array',
  'tags[1]': 'tags',
  '(ARRAY[1, 2])[1]': 'array',
  "DATE '2026-01-01'": 'date',
  "INTERVAL '1 day'": 'interval',
  true: '?column?',
  null: '?column?',
  "'a'": '?column?',
  1: '?column?',
  '-total': '?column?',
  '(total)': 'total',
  't.total': 'total',
  'total + 1': '?column?',
  'name || at': '?column?',
  "name LIKE 'a'": '?column?',
  'name IS NULL': '?column?',
  'total BETWEEN 1 AND 2': '?column?',
  'total IN (1, 2)': '?column?',
  'name COLLATE "C"': 'name',
});

describe('columns without a name, by PostgreSQL’s rules', () => {
  for (const [expression, name] of Object.entries(OUTPUT_NAMES))
    it(`${expression} is ${name}`, () => {
      const { body } = readByItsRules(parse(`SELECT ${expression} FROM t`));
      const item = body.kind === 'Select' ? body.items[0] : undefined;
      if (item?.kind !== 'Expression') throw new Error('an expression was expected');
      const { alias, expression: node } = item;
      const last = node.kind === 'Name' ? node.path.at(-1) : undefined;
      expect(alias?.name ?? (last?.kind === 'Name' ? last.identifier.name : null)).to.equal(name);
    });
});
