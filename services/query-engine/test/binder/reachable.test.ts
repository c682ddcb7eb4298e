import { expect } from 'chai';
import { bindError, bindSql } from './fixture.ts';

describe('what constants make unreachable', () => {
  for (const sql of [
    'SELECT CASE + 8 WHEN 76 THEN - total * + 8 WHEN 9 THEN NULL ELSE NULL END FROM orders GROUP BY city',
    'SELECT CASE 64 WHEN 77 THEN total END FROM orders GROUP BY city',
    'SELECT COALESCE(COALESCE(- 86, total), - order_id, city) FROM orders GROUP BY city',
    'SELECT COALESCE(1, total) FROM orders GROUP BY city',
  ])
    it(`need not be grouped by: ${sql}`, () => {
      expect(bindSql(sql).columns).to.have.length(1);
    });

  for (const sql of [
    'SELECT CASE 8 WHEN 8 THEN total END FROM orders GROUP BY city',
    'SELECT CASE city WHEN 8 THEN total END FROM orders GROUP BY city',
    'SELECT COALESCE(city, total) FROM orders GROUP BY city',
  ])
    it(`is not what may be reached: ${sql}`, () => {
      expect(bindError(sql).message).to.contain('must appear in GROUP BY');
    });
});
