/** Aggregates that other systems answer roughly. */
import { expect } from 'chai';
import { walkDeep } from '../../src/logical/visit.ts';
import { bindError, bindSql } from './fixture.ts';

describe('a rough answer', () => {
  const calls = (sql: string): readonly unknown[] => {
    const found: unknown[] = [];
    walkDeep(bindSql(sql).plan, {
      plan: (node) => {
        if (node.kind === 'Aggregate')
          for (const { call } of node.aggregates)
            found.push([call.name, call.distinct, call.arguments.length, call.withinGroup.length]);
      },
    });
    return found;
  };

  for (const [call, exact] of [
    ['APPROX_COUNT_DISTINCT(city)', ['COUNT', true, 1, 0]],
    ['approx_distinct(city)', ['COUNT', true, 1, 0]],
    ['APPROX_PERCENTILE(city, 0.5)', ['PERCENTILE_DISC', false, 1, 1]],
    ['APPROX_QUANTILE(city, ARRAY[0.5, 0.9])', ['PERCENTILE_DISC', false, 1, 1]],
    ['APPROX_MEDIAN(city)', ['MEDIAN', false, 1, 0]],
  ] as const)
    it(`is an exact one in ${call}`, () => {
      expect(calls(`SELECT ${call} FROM customers`)).to.deep.equal([exact]);
    });

  it('of more than a column and a fraction is refused', () => {
    expect(bindError('SELECT APPROX_PERCENTILE(city, 0.5, 7) FROM customers').message).to.include(
      'PERCENTILE_DISC',
    );
    expect(bindError('SELECT APPROX_COUNT_DISTINCT(*) FROM customers').code).to.equal('FUNCTION_NOT_FOUND');
  });
});
