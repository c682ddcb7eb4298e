import { expect } from 'chai';
import { n, s } from '../../../shop.ts';
import type { TestItem } from '../../../engine-table.ts';
import { key, many, numbered, sized } from '../../tables.ts';
import { above, call, column, count, equals, from, join, oneOf, query } from '../build-query.ts';
import { indexOf, table } from '../build-table.ts';
import type { WorkloadQuery } from '../query.ts';
import { clairvoyant } from './clairvoyant.ts';
import { tableData } from './table-data.ts';

/** 200 items of 1 KB, ten of each of 20 owners: 25 units; an owner's ten are 10 KB, 1.5 units. Every other has a rank. */
const notes = table(
  'notes',
  key('owner', 'number:N'),
  many(200, (i): TestItem => {
    const rank: TestItem = i % 2 === 0 ? { rank: n(i) } : {};
    const item = { owner: s(numbered('o', i % 20)), number: n(Math.floor(i / 20)), tag: s(`t${i}`), ...rank };
    return sized(item, 1024);
  }),
  [
    indexOf('by-tag', key('tag'), { projection: 'KEYS_ONLY' }),
    indexOf('by-rank', key('owner', 'rank:N'), { global: false }),
    indexOf('by-tag-rank', key('tag', 'rank:N')),
  ],
);
/** 40 items of 2 KB: 10 units. */
const owners = table(
  'owners',
  key('id'),
  many(40, (i) => sized({ id: s(numbered('o', i)), team: s(`team${i % 10}`) }, 2048)),
  [indexOf('by-team', key('team'))],
);
const tables = new Map([notes, owners].map((one) => [one.catalog.tableName, tableData(one, one.items)]));

const pad = [column('n', 'pad')];
const ofOwner = { edges: [join(['o', 'id'], ['n', 'owner'])] };
const notesOf = (...predicates: Parameters<typeof from>[2][]) => [from('notes', 'n', ...predicates)];
const byRank = (descending: boolean, limit: number) => ({ order: { column: 'rank', descending }, limit });

/** What each costs at least, worked out by hand. */
const CASES: readonly (readonly [what: string, query: WorkloadQuery, least: number])[] = [
  ['a scan', query('ranges', notesOf(above('pad', 'x')), pad), 25],
  ['a partition', query('ranges', notesOf(equals('owner', 'o003')), pad), 1.5],
  ['a partition that is not there', query('ranges', notesOf(equals('owner', 'o777')), pad), 0.5],
  // 3 KB: one page; by key 1.5
  ['some sort keys', query('ranges', notesOf(equals('owner', 'o003'), above('number', 7)), pad), 0.5],
  ['a key', query('IN lists', notesOf(equals('owner', 'o003'), equals('number', 2)), pad), 0.5],
  ['two keys', query('IN lists', notesOf(equals('owner', 'o003'), oneOf('number', [2, 77])), pad), 1],
  ['as many partitions as a scan costs', query('IN lists', notesOf(oneOf('owner', many20())), pad), 25],
  // An entry, and an item
  ['an index that lacks columns', query('IN lists', notesOf(equals('tag', 't7')), pad), 1],
  ['an index that has all', query('aggregates', notesOf(equals('tag', 't7')), [count('n')]), 0.5],
  // Ranks are not in all items: only the order from above proves that there are enough.
  ['the highest', query('LIMIT with filters', notesOf(equals('owner', 'o002')), [column('n', 'rank')], byRank(true, 3)), 0.5],
  ['the lowest, NULL first', query('LIMIT with filters', notesOf(equals('owner', 'o002')), [column('n', 'rank')], byRank(false, 3)), 1.5],
  ['more than there are', query('LIMIT with filters', notesOf(equals('owner', 'o001')), [column('n', 'rank')], byRank(true, 3)), 1.5],
  ['a maximum', query('aggregates', notesOf(equals('owner', 'o002')), [call('MAX', 'n', 'rank')]), 0.5],
  // Another rank than a number would not be in the index: an entry of by-tag, and the item. A comparison leaves it out.
  ['a maximum that a global index may lack', query('aggregates', notesOf(equals('tag', 't8')), [call('MAX', 'n', 'rank')]), 1],
  ['a maximum that it has', query('aggregates', notesOf(equals('tag', 't8'), above('rank', 0)), [call('MAX', 'n', 'rank')]), 0.5],
  ['the first rows of a scan', query('LIMIT with filters', notesOf(), pad, { limit: 9 }), 1.5],
  // Four owners of a team, 8 KB of the index, and a partition for each of the two that have notes; half a unit for others
  ['a join by keys', query('joins', [from('owners', 'o', equals('team', 'team3')), ...notesOf()], pad, ofOwner), 1 + 2 * 1.5 + 2 * 0.5],
  ['a join with an empty side', query('joins', [from('owners', 'o', equals('team', 'none')), ...notesOf()], pad, ofOwner), 0.5],
  // One note gives one owner
  ['a join from the other side', query('joins', [from('owners', 'o'), ...notesOf(equals('tag', 't7'))], pad, ofOwner), 1.5],
  ['a join that needs all', query('joins', [from('owners', 'o'), ...notesOf()], pad, ofOwner), 35],
  ['a table with itself', query('joins', [from('notes', 'm'), ...notesOf()], pad, { edges: [join(['m', 'pad'], ['n', 'pad'])] }), 25],
]; // oxfmt-ignore

function many20(): readonly string[] {
  return Array.from({ length: 20 }, (_, i) => numbered('o', i));
}

describe('the clairvoyant', () => {
  for (const [what, asked, least] of CASES)
    it(`reckons ${least} for ${what}`, () => {
      expect(clairvoyant(asked, tables).least).to.equal(least);
    });

  it('takes for certain what needs no guess', () => {
    const { certain } = clairvoyant(query('IN lists', notesOf(equals('tag', 't7')), pad), tables);
    expect(certain).to.equal(25);
  });
});
