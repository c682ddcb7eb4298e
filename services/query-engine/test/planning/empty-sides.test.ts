import { expect } from 'chai';
import { bind } from '../../src/binder/bind.ts';
import { parseParameters } from '../../src/binder/parameters.ts';
import type { CatalogTable } from '../../src/catalog/table.ts';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import { parse } from '../../src/parser/parse.ts';
import { attribute, catalogTable } from '../dynamodb/fixtures.ts';
import { optimize, planQuery } from './in-one-go.ts';

/** Of 4,883 and 49 units; nothing refers to their keys. */
const NAMES = ['id', 'a', 'b'];
const attributes = NAMES.map((name) => attribute(name, { S: 1000 }, 900));
const TABLES: Readonly<Record<string, CatalogTable>> = {
  large: catalogTable('id:S', { tableName: 'large', attributes, sampledItems: 1000 }),
  other: catalogTable('id:S', { tableName: 'other', attributes, sampledItems: 1000 }),
  small: catalogTable('id:S', {
    tableName: 'small',
    itemCount: 1000,
    sizeBytes: 400_000,
    attributes,
    sampledItems: 1000,
  }),
};

/** Each read that may not be made, and what has to have rows. */
function waiting(sql: string): Readonly<Record<string, readonly string[]>> {
  const bound = bind(parse(sql), {
    sql,
    tables: ({ table }) => TABLES[table.name]!,
    parameters: parseParameters(''),
  });
  const { reads, emptySides } = planQuery(optimize(bound, { rowsWanted: 100, pushdown: true }), {
    firstRowIdx: 0,
    maxRows: 100,
    chooseRead: (scan) => chooseRead(scan, { consistent: false, pushdown: true }),
  });
  const alias = (read: number): string => reads[read]?.alias ?? '?';
  for (const read of emptySides.keys()) expect(reads[read]?.estimate.low, 'units at least').to.equal(0);
  return Object.fromEntries(
    [...emptySides].map(([read, sides]) => [
      alias(read),
      [...new Set(sides.map((side) => side.reads.map(alias).join('+')))],
    ]),
  );
}

const ONE = `s.id = 's1'`;

describe('a read waits for a side that has to have rows', () => {
  const WAITS: readonly (readonly [what: string, sql: string, expected: Readonly<Record<string, string[]>>])[] = [
    ['of an inner join', `SELECT l.b FROM small s JOIN large l ON l.a = s.a WHERE ${ONE}`, { l: ['s'] }],
    ['of a cross join', `SELECT l.b FROM small s, large l WHERE ${ONE}`, { l: ['s'] }],
    ['that a LEFT JOIN keeps', `SELECT l.b FROM small s LEFT JOIN large l ON l.a = s.a WHERE ${ONE}`, { l: ['s'] }],
    ['that IN names', `SELECT b FROM large l WHERE a IN (SELECT a FROM small s WHERE ${ONE})`, { l: ['s'] }],
    ['that EXISTS names', `SELECT b FROM large l WHERE EXISTS (SELECT 1 FROM small s WHERE ${ONE})`, { l: ['s'] }],
    ['of rows that a subquery is asked for', `SELECT a FROM small s WHERE ${ONE} AND a NOT IN (SELECT a FROM large l)`, { l: ['s'] }],
    ['of INTERSECT', `SELECT a FROM small s WHERE ${ONE} INTERSECT SELECT a FROM large l`, { l: ['s'] }],
    ['of EXCEPT, the first', `SELECT a FROM small s WHERE ${ONE} EXCEPT SELECT a FROM large l`, { l: ['s'] }],
    ['below groups', `SELECT l.b FROM (SELECT a FROM small s WHERE ${ONE} GROUP BY a) s JOIN large l ON l.a = s.a`, { l: ['s'] }],
    ['all along a chain', `SELECT l.b FROM small s JOIN large l ON l.a = s.a JOIN other o ON o.b = l.b WHERE ${ONE}`, { l: ['s'], o: ['s'] }],
    ['that a scan reads, where that is cheap', `SELECT l.b FROM small s JOIN large l ON l.a = s.a`, { l: ['s'] }],
  ]; // oxfmt-ignore
  for (const [what, sql, expected] of WAITS)
    it(what, () => {
      expect(waiting(sql)).to.deep.equal(expected);
    });

  const NOT: readonly (readonly [what: string, sql: string])[] = [
    ['a LEFT JOIN may do without', `SELECT l.b FROM large l LEFT JOIN small s ON l.a = s.a AND ${ONE}`],
    ['a FULL JOIN may do without', `SELECT l.b FROM large l FULL JOIN small s ON l.a = s.a`],
    ['NOT IN may do without', `SELECT b FROM large l WHERE a NOT IN (SELECT a FROM small s WHERE ${ONE})`],
    ['a union may do without', `SELECT a FROM small s WHERE ${ONE} UNION ALL SELECT a FROM large l`],
    ['EXCEPT may do without', `SELECT a FROM large l EXCEPT SELECT a FROM small s WHERE ${ONE}`],
    ['has a row whatever there is', `SELECT l.b FROM (SELECT count(*) AS c FROM small s WHERE ${ONE}) s JOIN large l ON l.a > s.c`],
    ['costs as much', `SELECT l.b FROM large l JOIN other o ON o.a = l.a`],
    ['one of two uses does without', `WITH c AS (SELECT a, b FROM large l) SELECT c.b FROM small s JOIN c ON c.a = s.a WHERE ${ONE} UNION ALL SELECT b FROM c`],
    ['an OR may do without', `SELECT b FROM large l WHERE b = 'x' OR a IN (SELECT a FROM small s WHERE ${ONE})`],
  ]; // oxfmt-ignore
  for (const [what, sql] of NOT)
    it(`not for one that ${what}`, () => {
      expect(waiting(sql)).to.deep.equal({});
    });
});
