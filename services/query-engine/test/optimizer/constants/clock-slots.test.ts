import { expect } from 'chai';
import type { LiteralValue } from '../../../src/logical/expression.ts';
import { decisiveOf } from '../../../src/optimizer/constants/clock-slots.ts';

const number = (text: string): LiteralValue => ({ type: 'number', text });
const at = (value: string): LiteralValue => ({ type: 'temporal', sqlType: 'TIMESTAMP', value });
const text = (value: string): LiteralValue => ({ type: 'text', value });

const NOON = '2026-11-20 12:00:00';
const ONE = '2026-11-20 13:00:00';

describe('what the optimizer may decide by of values that change with the time', () => {
  const same = (
    a: readonly (LiteralValue | null)[],
    b: readonly (LiteralValue | null)[],
    others: readonly LiteralValue[] = [],
  ): boolean => decisiveOf(a, others) === decisiveOf(b, others);

  it('is not which time it is', () => {
    expect(same([at(NOON)], [at(ONE)])).to.equal(true);
    expect(same([at(NOON), at(ONE)], [at('2026-11-21 00:00:00'), at('2026-11-22 00:00:00')])).to.equal(true);
  });

  it('is whether times are equal, to each other or to another constant', () => {
    expect(same([at(NOON), at(ONE)], [at(NOON), at(NOON)])).to.equal(false);
    expect(same([at(NOON)], [at(ONE)], [at(ONE)])).to.equal(false);
  });

  it('is the order of numbers among all constants, and whether they are 0 or 1', () => {
    expect(same([number('5')], [number('6')])).to.equal(true);
    expect(same([number('5')], [number('6')], [number('7')])).to.equal(true);
    expect(same([number('5')], [number('8')], [number('7')])).to.equal(false);
    expect(same([number('5')], [number('7')], [number('7')])).to.equal(false);
    expect(same([number('5'), number('6')], [number('6'), number('5')])).to.equal(false);
    for (const special of ['0', '1', '-1']) expect(same([number('5')], [number(special)])).to.equal(false);
  });

  it('is the value itself of texts and truth values, and whether there is one', () => {
    expect(same([text('a')], [text('b')])).to.equal(false);
    expect(same([{ type: 'boolean', value: true }], [{ type: 'boolean', value: false }])).to.equal(false);
    expect(same([at(NOON)], [null])).to.equal(false);
    expect(same([at(NOON)], [{ type: 'null' }])).to.equal(false);
    expect(same([number('5')], [{ type: 'number', text: '5', approximate: true }])).to.equal(false);
  });
});
