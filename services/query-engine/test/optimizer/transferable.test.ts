/** Constants carried over an equality, for values of all types: held against the definition of comparisons. */
import { expect } from 'chai';
import type { KeySchema } from '../../src/catalog/table.ts';
import type { LiteralValue } from '../../src/logical/expression.ts';
import type { ColumnOrigin } from '../../src/optimizer/column-origins.ts';
import { isTransferable } from '../../src/optimizer/transferable.ts';
import type { TestCell } from '../execution/batches.ts';
import { testTable } from '../execution/tables.ts';
import { holds } from '../execution/value-rule.ts';
import { index as secondaryIndex } from '../dynamodb/fixtures.ts';

const DIGITS = ['0', '1', '1.0', '5', '0005', '7', '1234', '-3'] as const;
const NUMBERS: readonly TestCell[] = DIGITS.map((n) => ({ n }));
const TEXTS: readonly string[] = [
  '',
  '0',
  '1',
  '01',
  '1.0',
  '5',
  '05',
  '0005',
  ' 7',
  '1234',
  'true',
  'T',
  'yes',
  'no',
  'Bonn',
  'x',
  '[1]',
];
const BYTES: readonly TestCell[] = ['0005', '1234', 'Bonn', 'true', '+005'].map((b) => ({ b }));
const OTHERS: readonly TestCell[] = [true, false, { json: '[1]' }];

/** What a column may hold, by the type of the key that it is; null: no key. */
const CELLS = {
  N: NUMBERS,
  S: TEXTS,
  B: BYTES,
  any: [...NUMBERS, ...TEXTS, ...BYTES, ...OTHERS],
} as const;
const KINDS = Object.keys(CELLS) as readonly (keyof typeof CELLS)[];

function originOf(kind: keyof typeof CELLS): ColumnOrigin {
  const { catalog } = testTable('t', ['id', 'x'], []);
  const key: KeySchema = { partitionKey: { name: 'x', type: kind === 'any' ? 'S' : kind }, sortKey: null };
  return {
    table: kind === 'any' ? catalog : { ...catalog, key },
    column: { id: 1, name: 'x', path: ['x'] },
  };
}

const CONSTANTS: readonly { readonly value: LiteralValue; readonly cell: TestCell }[] = [
  ...DIGITS.map((text) => ({ value: { type: 'number' as const, text }, cell: { n: text } })),
  ...TEXTS.map((cell) => ({ value: { type: 'text' as const, value: cell }, cell })),
];

describe('constants carried over an equality', () => {
  for (const from of KINDS)
    for (const to of KINDS)
      it(`are right from ${from} to ${to}`, () => {
        for (const { value, cell } of CONSTANTS) {
          if (!isTransferable(value, originOf(from), originOf(to))) continue;
          for (const a of CELLS[from].filter((one) => holds('=', one, cell)))
            for (const b of CELLS[to].filter((one) => holds('=', one, a)))
              expect(holds('=', b, cell), JSON.stringify({ value, a, b })).to.equal(true);
        }
      });

  it('are not carried by the type of a global index’s key, of which older items may have another', () => {
    const keyed = (global: boolean): ColumnOrigin => {
      const origin = originOf('any');
      const index = { ...secondaryIndex('by-x', 'x:N'), global };
      return { ...origin, table: { ...origin.table, indexes: [index] } };
    };
    const five: LiteralValue = { type: 'number', text: '5' };
    expect(isTransferable(five, keyed(false), originOf('any'))).to.equal(true);
    expect(isTransferable(five, keyed(true), originOf('any'))).to.equal(false);
  });

  it('are carried wherever both sides are keys of the same type', () => {
    for (const { value } of CONSTANTS) {
      const kind = value.type === 'number' ? 'N' : 'S';
      expect(isTransferable(value, originOf(kind), originOf(kind))).to.equal(true);
    }
  });
});
