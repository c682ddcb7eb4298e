/** What predicates say of the values that an index's key may lack, held against the definition of comparisons. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { conditionsOf } from '../../src/dynamodb/access-path/condition.ts';
import { impliesLegalKey, type Implied } from '../../src/dynamodb/access-path/legal-key.ts';
import type { Expression } from '../../src/logical/expression.ts';
import { and, between, cmp, eq, inList, isNull, like, not, or, scanColumn } from './fixtures.ts';
import { print } from './print-predicate.ts';
import { passes } from './reference-evaluator.ts';

const BYTES_MAX = 10;
const LONG = 'x'.repeat(BYTES_MAX + 1);
const CONSTANTS = [
  'x', 'open', 'c#17', '7', '07', '1', 'true', '[1]', '', LONG, 7, 1, 0, -3, true, null,
] as const; // oxfmt-ignore
const VALUES: readonly AttributeValue[] = [
  { S: 'x' }, { S: 'open' }, { S: 'c#17' }, { S: '7' }, { S: '07' }, { S: '1' }, { S: 'true' }, { S: '[1]' }, { S: '' },
  { S: LONG }, { N: '7' }, { N: '1' }, { N: '0' }, { N: '-3' }, { BOOL: true }, { BOOL: false }, { NULL: true },
  { B: Buffer.from('open', 'base64') }, { B: Buffer.from('x') }, { B: Buffer.from('') },
  { SS: ['1'] }, { NS: ['1'] }, { L: [{ N: '1' }] }, { M: {} },
]; // oxfmt-ignore

const PREDICATES: readonly Expression[] = [
  ...CONSTANTS.flatMap((constant) => [
    ...(['=', '<>', '<', '<=', '>', '>='] as const).map((operator) => cmp('k', operator, constant)),
    not(cmp('k', '<', constant)),
    inList('k', ['x', constant]),
    inList('k', [7, constant]),
    inList('k', [constant], true),
    between('k', constant, 'y'),
    between('k', 0, constant),
    and(cmp('k', '<', constant), cmp('k', '>', '')),
    or(eq('k', 'c#17'), eq('k', constant)),
    and(eq('k', 'c#17'), isNull('k', true)),
  ]),
  ...['x%', '7', '_x%', '%', 'c#17', '{%', 'x'].flatMap((pattern) => [
    like('k', pattern),
    like('k', pattern, true),
  ]),
  isNull('k'),
  isNull('k', true),
];

const typeOf = (value: AttributeValue): string => Object.keys(value)[0] ?? '';

function bytesOf(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  return value.B === undefined ? 1 : value.B.byteLength;
}

function impliedBy(predicate: Expression, type: 'S' | 'N' | 'B'): Implied {
  const key = { name: 'k', type };
  const said = conditionsOf([predicate], [scanColumn('k')]).map((one) =>
    impliesLegalKey(one, key, BYTES_MAX),
  );
  return said.includes('certainly') ? 'certainly' : said.includes('likely') ? 'likely' : 'no';
}

describe('what a predicate implies of a key', () => {
  for (const type of ['S', 'N', 'B'] as const)
    it(`of type ${type} holds for every value that passes it`, () => {
      const met = new Map<Implied, number>();
      for (const predicate of PREDICATES) {
        const implied = impliedBy(predicate, type);
        met.set(implied, (met.get(implied) ?? 0) + 1);
        if (implied === 'no') continue;
        for (const value of VALUES.filter((one) => passes(predicate, { k: one }))) {
          const about = `${print(predicate)} is ${implied} on ${JSON.stringify(value)}`;
          if (implied === 'certainly') expect(typeOf(value), about).to.equal(type);
          if (typeOf(value) === type) expect(bytesOf(value), about).to.be.greaterThan(0);
          const isEquality =
            predicate.kind === 'InList' || ('operator' in predicate && predicate.operator === '=');
          if (typeOf(value) === type && isEquality) expect(bytesOf(value), about).to.be.at.most(BYTES_MAX);
        }
      }
      expect([...met.keys()]).to.include.members(
        type === 'S' ? ['no', 'likely', 'certainly'] : ['no', 'likely'],
      );
    });

  it('is certain for texts that nothing else equals, likely for what is compared by its own type', () => {
    expect(impliedBy(eq('k', 'c#17'), 'S')).to.equal('certainly');
    // The bytes whose base64 it is equal it, a number equals '7'.
    expect(impliedBy(eq('k', 'open'), 'S')).to.equal('likely');
    expect(impliedBy(eq('k', '7'), 'S')).to.equal('likely');
    expect(impliedBy(like('k', 'x%'), 'S')).to.equal('likely');
    expect(impliedBy(cmp('k', '>', ''), 'S')).to.equal('likely');
    expect(impliedBy(between('k', 1, 9), 'N')).to.equal('likely');
  });

  it('is nothing for what another type, an empty or a long value may pass', () => {
    expect(impliedBy(isNull('k', true), 'S')).to.equal('no');
    expect(impliedBy(cmp('k', '<>', 7), 'N')).to.equal('no');
    expect(impliedBy(eq('k', '7'), 'N')).to.equal('no');
    expect(impliedBy(cmp('k', '<', 'x'), 'S')).to.equal('no');
    expect(impliedBy(eq('k', ''), 'S')).to.equal('no');
    expect(impliedBy(inList('k', ['x', LONG]), 'S')).to.equal('no');
    expect(impliedBy(not(cmp('k', '<', 5)), 'N')).to.equal('no');
  });
});
