import { expect } from 'chai';
import { createColumnTypeInference } from '../../../src/execution/loading/infer-column-type.ts';
import { duckdbType, typeLabel } from '../../../src/duckdb-sql/types/sql-type.ts';
import { vector, type TestCell } from '../batches.ts';

function settledBy(...pages: readonly (readonly TestCell[])[]): string[] {
  const inference = createColumnTypeInference();
  return pages.map((page) => {
    inference.observe(vector(page));
    return typeLabel(inference.type);
  });
}

describe('a column settles', () => {
  it('on VARCHAR while no item has a value', () => {
    expect(settledBy([undefined, null])).to.deep.equal(['VARCHAR']);
  });

  it('on BIGINT for whole numbers of 64 bits, and not for one more', () => {
    expect(settledBy([1, { n: '9223372036854775807' }], [{ n: '9223372036854775808' }])).to.deep.equal([
      'BIGINT',
      'HUGEINT',
    ]);
    expect(settledBy([{ n: '-9223372036854775808' }], [{ n: '-9223372036854775809' }])).to.deep.equal([
      'BIGINT',
      'HUGEINT',
    ]);
  });

  it('on the decimal that all its numbers fit, widening as they come', () => {
    expect(settledBy([1], [{ n: '1.5' }], [{ n: '0.0001' }], [{ n: '123456789012345678.5' }])).to.deep.equal([
      'BIGINT',
      'DECIMAL(18,1)',
      'DECIMAL(18,4)',
      'DECIMAL(38,4)',
    ]);
  });

  it('on DOUBLE, shown exactly, once 38 digits are not enough', () => {
    const inference = createColumnTypeInference();
    inference.observe(vector([{ n: '1E+30' }, { n: '1E-30' }]));
    expect(typeLabel(inference.type)).to.equal('DOUBLE');
    expect(duckdbType(inference.type)).to.match(/^STRUCT/);
  });

  it('on MIXED for values of several types, whatever came first', () => {
    expect(settledBy(['a'], [1])).to.deep.equal(['VARCHAR', 'MIXED']);
    expect(settledBy([1], [true])).to.deep.equal(['BIGINT', 'MIXED']);
    expect(settledBy([{ json: '[]' }], ['a'])).to.deep.equal(['JSON', 'MIXED']);
  });

  it('on an exact type for the numbers of a MIXED column, and for its texts that are numbers', () => {
    const numberOf = (...page: readonly TestCell[]): string => {
      const inference = createColumnTypeInference();
      for (const cell of page) inference.observe(vector([cell]));
      const { type } = inference;
      return type.kind === 'mixed' ? duckdbType(type.number) : type.kind;
    };
    expect(numberOf('n/a', { n: '0.1' })).to.equal('DECIMAL(18,1)');
    expect(numberOf('12345678901234567.25', 1)).to.equal('DECIMAL(38,2)');
    expect(numberOf(' 1e2 ', 7, '2024-05-01')).to.equal('BIGINT');
    expect(numberOf('1e-100', 7)).to.equal('DOUBLE');
  });

  it('goes on behind a page as if all had been one', () => {
    const first = createColumnTypeInference();
    first.observe(vector(['0.125']));
    const second = createColumnTypeInference(first.state());
    second.observe(vector([1]));
    expect(second.type).to.deep.include({
      kind: 'mixed',
      number: { kind: 'decimal', width: 18, scale: 3, integerDigits: 1 },
    });
  });

  it('on one type for maps, lists and sets', () => {
    expect(settledBy([{ json: '[1]' }, { json: '{"a":1}' }])).to.deep.equal(['JSON']);
  });

  it('on what the numbers in documents fit, and texts there that are numbers, where these are looked at', () => {
    const within = (...cells: readonly TestCell[]): string => {
      const inference = createColumnTypeInference(null, true);
      for (const cell of cells) inference.observe(vector([cell]));
      const { type } = inference;
      return 'within' in type && type.within !== undefined ? duckdbType(type.within) : type.kind;
    };
    expect(within({ json: '[1,-22.125,{"a":"b 1.23456","c":[3e2]}]' })).to.equal('DECIMAL(18,3)');
    expect(within({ json: '{"a":"1.2345"}' }, { json: '[9007199254740993]' })).to.equal('DECIMAL(38,4)');
    expect(within({ json: '["\\"1.5","\\\\",2]' }, { n: '0.25' })).to.equal('DECIMAL(18,2)');
    expect(within({ json: '[1E-100]' })).to.equal('DOUBLE');
    expect(within({ n: '0.25' })).to.equal('decimal');
    expect(within({ json: '[]' })).to.equal('BIGINT');
    const first = createColumnTypeInference(null, true);
    first.observe(vector([{ json: '[0.125]' }]));
    const second = createColumnTypeInference(first.state(), true);
    expect(second.type).to.deep.equal(first.type);
  });

  it('and says when its type changed', () => {
    const inference = createColumnTypeInference();
    expect(inference.observe(vector([1]))).to.equal(true);
    expect(inference.observe(vector([2]))).to.equal(false);
    expect(inference.observe(vector([10]))).to.equal(true);
    expect(inference.observe(vector([null, undefined]))).to.equal(false);
  });
});
