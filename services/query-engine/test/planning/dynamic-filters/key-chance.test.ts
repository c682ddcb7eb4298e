import { expect } from 'chai';
import type { Expression } from '../../../src/logical/expression.ts';
import { columnOrigins } from '../../../src/optimizer/column-origins.ts';
import { chanceOfKeys } from '../../../src/planning/dynamic-filters/key-chance.ts';
import type { KeyType } from '../../../src/planning/dynamic-filters/lookup-shape.ts';
import { attribute, catalogTable, col, lit, tableScan } from '../../dynamodb/fixtures.ts';

const TABLE = catalogTable('pk:S, sk:N', {
  attributes: [
    // A key's own type is certain, whatever is said of it.
    attribute('sk', { S: 10 }),
    attribute('texts', { S: 100, NULL: 50 }),
    attribute('numbers', { N: 100 }),
    attribute('half', { S: 50, N: 50 }),
    attribute('flags', { BOOL: 75, S: 25 }),
    { ...attribute('map', { M: 100 }), nested: [attribute('texts', { S: 10 }), attribute('numbers', { N: 10 })] },
  ],
}); // oxfmt-ignore
const NAMES = ['pk', 'sk', 'texts', 'numbers', 'half', 'flags', 'map', 'map.texts', 'map.numbers', 'unseen'];
const SCAN = tableScan(TABLE, NAMES);

/** The chance for so many values of these sources to be looked up by keys of these types. */
function chance(sources: readonly Expression[], types: readonly KeyType[], values = 1): number {
  return chanceOfKeys({ types, sources }, values, columnOrigins(SCAN));
}

const sum: Expression = { kind: 'Arithmetic', operator: '+', left: col('sk'), right: lit(1) };
const joined: Expression = { kind: 'Arithmetic', operator: '||', left: lit('a'), right: col('sk') };
const upper: Expression = { kind: 'FunctionCall', name: 'UPPER', arguments: [col('pk')] };

describe('the chance that values are keys', () => {
  const CASES: readonly (readonly [source: Expression | string, text: number, number: number])[] = [
    ['pk', 1, 1],
    ['sk', 0, 1],
    ['texts', 1, 1],
    ['numbers', 0, 1],
    ['half', 0.5, 1],
    ['flags', 0.25, 0.25],
    ['map', 0, 0],
    ['map.texts', 1, 1],
    ['map.numbers', 0, 1],
    ['unseen', 1, 1],
    [sum, 0, 1],
    [{ kind: 'Negate', operand: col('pk') }, 0, 1],
    [joined, 1, 1],
    [upper, 1, 1],
  ];
  for (const [source, text, number] of CASES) {
    const expression = typeof source === 'string' ? col(source) : source;
    const what = typeof source === 'string' ? source : source.kind;
    it(`is ${text} for text keys and ${number} for number keys: ${what}`, () => {
      expect(chance([expression], ['S'])).to.equal(text);
      expect(chance([expression], ['N'])).to.equal(number);
    });
  }

  it('is that of all values and of all parts of a key', () => {
    expect(chance([col('half')], ['S'], 3)).to.equal(0.125);
    expect(chance([col('half'), col('flags')], ['S', 'N'])).to.equal(0.125);
  });

  it('is certain of no value', () => {
    expect(chance([col('sk')], ['S'], 0)).to.equal(1);
  });
});
