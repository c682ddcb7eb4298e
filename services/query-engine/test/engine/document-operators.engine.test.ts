/** PostgreSQL's operators of documents, and slices of lists: the values are those that its documentation (9.16, 9.19) gives. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { engineTable, n, s } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const l = (...values: readonly AttributeValue[]): AttributeValue => ({ L: [...values] });
const m = (fields: Record<string, AttributeValue>): AttributeValue => ({ M: fields });

const DOCS = engineTable('docs', { partitionKey: { name: 'id', type: 'S' }, sortKey: null }, [
  {
    id: s('a'),
    m: m({ a: n('12345678901234567890.5'), b: m({ c: s('deep'), 'x.y': n(1) }), l: l(n(1), n('2.5')), z: { NULL: true } }),
    tags: l(s('x'), n(2), s('y')),
    j: s('{"a": 1, "b": [1, 2, {"c": "z"}]}'),
    ss: { SS: ['p', 'q'] },
    // Text in one item, a map in the other.
    v: s('{"k": "of text"}'),
    k: s('b'),
    i: n(1),
    digits: m({ 7: s('seven') }),
  },
  { id: s('b'), tags: l(), j: s('no JSON'), v: m({ k: s('of a map') }), k: s('a'), i: n(-1) },
]); // oxfmt-ignore

const VALUES: readonly (readonly [expression: string, a: string, b: string])[] = [
  ["m->'a'", '12345678901234567890.5', 'null'],
  ["m->>'a'", '"12345678901234567890.5"', 'null'],
  ["m->'b'->>'c'", '"deep"', 'null'],
  ["m->'b'->'x.y'", '1', 'null'],
  ["m->'b'", '{"c":"deep","x.y":1}', 'null'],
  ["m->>'b' LIKE '%deep%'", 'true', 'null'],
  ["m->'l'->1", '2.5', 'null'],
  ["m->'l'->-1", '2.5', 'null'],
  ["m->'l'->>0", '"1"', 'null'],
  ["m->0", 'null', 'null'],
  ["tags->'0'", 'null', 'null'],
  ["m->'z'", 'null', 'null'],
  ['tags->0', '"x"', 'null'],
  ['tags->i', '2', 'null'],
  ['m->k->>\'c\'', '"deep"', 'null'],
  ["(m->>'a')::DECIMAL(30,1) + 1", '12345678901234567891.5', 'null'],
  ["j->'a'", '1', 'null'],
  ["j->'b'->2->>'c'", '"z"', 'null'],
  ["j->>'b'", '"[1,2,{\\"c\\":\\"z\\"}]"', 'null'],
  ["v->>'k'", '"of text"', '"of a map"'],
  ["m->>'a' IS NULL", 'false', 'true'],
  ["m->'b'->>'c' = 'deep' AND id = 'a'", 'true', 'false'],
  ["m->>'b' || '!'", '"{\\"c\\":\\"deep\\",\\"x.y\\":1}!"', 'null'],
  ["m#>'{b,c}'", '"deep"', 'null'],
  ["m#>>'{b,c}'", '"deep"', 'null'],
  ["m #>> ARRAY['l', '1']", '"2.5"', 'null'],
  ["m #>> '{l,-2}'::text[]", '"1"', 'null'],
  ["m #> '{b,\"x.y\"}'", '1', 'null'],
  ["m #> ARRAY[k, 'c']", '"deep"', 'null'],
  ["digits #>> '{7}'", '"seven"', 'null'],
  ["j #>> '{b,2,c}'", '"z"', 'null'],
  ["JSONB_EXTRACT_PATH_TEXT(m, 'b', 'c')", '"deep"', 'null'],
  [`'{"a":{"b":"foo"}}'::jsonb -> 'a' ->> 'b'`, '"foo"', '"foo"'],
  [`'[{"a":"foo"},{"b":"bar"},{"c":"baz"}]'::json -> -3`, '{"a":"foo"}', '{"a":"foo"}'],
  [`'[1,2,3]'::json ->> 2`, '"3"', '"3"'],
  [`'{"a":1,"b":2}'::jsonb @> '{"b":2}'::jsonb`, 'true', 'true'],
  [`'{"foo":{"bar":"baz"}}'::jsonb @> '{"bar":"baz"}'::jsonb`, 'false', 'false'],
  [`'{"foo":{"bar":"baz"}}'::jsonb @> '{"foo":{}}'::jsonb`, 'true', 'true'],
  [`'[1,2,3]'::jsonb @> '[1,2,2]'::jsonb`, 'true', 'true'],
  [`'["foo","bar"]'::jsonb @> '"bar"'::jsonb`, 'true', 'true'],
  [`'"bar"'::jsonb @> '["bar"]'::jsonb`, 'false', 'false'],
  [`'[1,2,[1,3]]'::jsonb @> '[1,3]'::jsonb`, 'false', 'false'],
  [`'[1,2,[1,3]]'::jsonb @> '[[1,3]]'::jsonb`, 'true', 'true'],
  [`'{"a":[{"b":1,"c":2}]}'::jsonb @> '{"a":[{"c":2.0}]}'`, 'true', 'true'],
  [`'{"a":null}'::jsonb @> '{"b":null}'`, 'false', 'false'],
  [`'{"a":"1"}'::jsonb @> '{"a":1}'`, 'false', 'false'],
  [`'{"b":2}'::jsonb <@ '{"a":1,"b":2}'::jsonb`, 'true', 'true'],
  [`m @> '{"b": {"c": "deep"}}'`, 'true', 'null'],
  ["tags @> ARRAY['y', 2]", 'true', 'false'],
  ["tags @> ARRAY[k, 'x']", 'false', 'false'],
  ["tags @> ARRAY[i + 1]", 'true', 'false'],
  ["tags <@ ARRAY['x', 'y', 2, 3]", 'true', 'true'],
  ["ss @> '[\"q\"]'", 'true', 'null'],
  ["tags && ARRAY['k', 'y']", 'true', 'false'],
  ["ss && tags", 'false', 'null'],
  ["m ? 'b'", 'true', 'null'],
  ["m ? 'c'", 'false', 'null'],
  ["tags ? 'x'", 'true', 'false'],
  ["tags ? '2'", 'false', 'false'],
  [`'"foo"'::jsonb ? 'foo'`, 'true', 'true'],
  ["m ?| ARRAY['q', 'b']", 'true', 'null'],
  ["m ?& '{a,b}'", 'true', 'null'],
  ["m ?& ARRAY['a', k, 'q']", 'false', 'null'],
  ["j ? 'a'", 'true', 'null'],
  ["m->'b' ? 'c' AND NOT tags ? 'z'", 'true', 'null'],
  // The first element is 0, as in subscripts.
  ['tags[0:1]', '["x",2]', '[]'],
  ['tags[1:]', '[2,"y"]', '[]'],
  ['tags[: -2]', '["x",2]', '[]'],
  ['tags[-1 :]', '["y"]', '[]'],
  ['tags[:]', '["x",2,"y"]', '[]'],
  ['tags[2:1]', '[]', '[]'],
  ['tags[1:1000000000000]', '[2,"y"]', '[]'],
  ['tags[-9 : 0]', '["x"]', '[]'],
  ['tags[i - 1 : i]', '["x",2]', '[]'],
  ['tags[NULL : 1]', 'null', 'null'],
  ['id[0:1]', 'null', 'null'],
  ['m.l[1:][0]', '2.5', 'null'],
  ['ARRAY[1, 2, 3][1:2]', '[2,3]', '[2,3]'],
  ['1 OPERATOR(pg_catalog.=) 1', 'true', 'true'],
  ["id OPERATOR(pg_catalog.~) '^a'", 'true', 'false'],
  ["i OPERATOR(pg_catalog.+) 1", '2', '0'],
  ["id OPERATOR(=) ANY (ARRAY['b'])", 'false', 'true'],
  ["m OPERATOR(pg_catalog.->>) 'k' IS NULL", 'true', 'true'],
]; // oxfmt-ignore

const REFUSED: readonly (readonly [expression: string, code: string, words: string])[] = [
  ["m @> '{b}'", 'INVALID_QUERY', 'column 13: What @> and <@ look for must be JSON'],
  ["m #> 'b'", 'INVALID_QUERY', "write a path such as '{address,city}'"],
  ["tags <@ (m->'l') AND m @> v", 'EXECUTION_ERROR', 'look for plain values'],
  ["tags['a' : 1]", 'INVALID_QUERY', 'ELEMENTS takes a number as argument 2'],
  [
    "m->'$.a'",
    'UNSUPPORTED_SQL',
    "column 11: Unsupported SQL: a path of MySQL or SQLite as a step; write -> 'name'",
  ],
  ['tags[1:i]', 'PARSE_ERROR', "write ': i' for a column"],
  ['tags[0:1:2]', 'PARSE_ERROR', "unexpected ':'"],
  ['1 OPERATOR(pg_catalog.foo) 1', 'PARSE_ERROR', 'write the operator itself'],
];

const IN_ONE_STATEMENT = 8;

describe("PostgreSQL's operators of documents", () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([DOCS])));
  after(() => engine.close());

  // A statement for each would take most of its time in planning.
  for (let at = 0; at < VALUES.length; at += IN_ONE_STATEMENT) {
    const some = VALUES.slice(at, at + IN_ONE_STATEMENT);
    it(`give PostgreSQL's values: ${some.map(([expression]) => expression).join('; ')}`, async () => {
      const { json } = await engine.run(
        `SELECT ${some.map(([expression], i) => `${expression} AS v${i}`).join(', ')} FROM docs ORDER BY id`,
      );
      const row = (values: readonly string[]): string => `[${values.join(', ')}]`.replaceAll(', ', ',');
      expect(json.replaceAll(', ', ',')).to.equal(
        `[${row(some.map(([, a]) => a))},${row(some.map(([, , b]) => b))}]`,
      );
      expect(engine.disagreements).to.deep.equal([]);
    });
  }

  it('keep all digits through derived tables and common table expressions', async () => {
    for (const from of [
      '(SELECT m, tags, j FROM docs) q',
      '(SELECT m, tags, j, count(*) FROM docs GROUP BY m, tags, j) q',
    ]) {
      const sql = `SELECT q.m->'a', m->>'a', q.m #>> '{a}', tags->0, tags->'0', j->'b'->1 FROM ${from} WHERE m->'b'->>'c' = 'deep'`;
      const { json } = await engine.run(sql);
      expect(json).to.equal(
        '[[12345678901234567890.5,"12345678901234567890.5","12345678901234567890.5","x",null,2]]',
      );
    }
    const { json } = await engine.run(
      "WITH q AS (SELECT m FROM docs) SELECT m->>'a' FROM q WHERE m->'l'->1 = 2.5",
    );
    expect(json).to.equal('[["12345678901234567890.5"]]');
  });

  for (const [expression, code, words] of REFUSED)
    it(`${expression} is refused: ${words}`, async () => {
      const error = await engine.failure(`SELECT ${expression} FROM docs`);
      expect(`${error.code} ${error.message} ${error.detail}`).to.include(words);
      expect(error.code).to.equal(code);
    });
});
