import { expect } from 'chai';
import { bind } from '../src/binder/bind.ts';
import { parseParameters } from '../src/binder/parameters.ts';
import type { OptimizedStatement } from '../src/fold-statement.ts';
import { parse } from '../src/parser/parse.ts';
import { createStatementCaches } from '../src/statement-caches.ts';
import { attribute, catalogTable } from './dynamodb/fixtures.ts';

const wide = catalogTable('id:S', {
  sampledItems: 10,
  attributes: Array.from({ length: 1_600 }, (_, i) => attribute(`a${i}`, { N: 10 })),
});

function bound(sql: string): OptimizedStatement {
  const statement = bind(parse(sql), { sql, tables: () => wide, parameters: parseParameters('') });
  return { statement, slots: null };
}

describe('what is kept of statements', () => {
  it('is hundreds of ordinary ones', () => {
    const { optimized } = createStatementCaches();
    const statement = bound(`SELECT ${Array.from({ length: 40 }, (_, i) => `a${i}`).join(', ')} FROM orders`);
    for (let i = 0; i < 600; i++) optimized.set(`${i} ${'x'.repeat(300)}`, statement);
    expect(optimized.size).to.equal(500);
  });

  // Five hundred of them were a gigabyte.
  it('is few of those whose stars are thousands of columns', () => {
    const { optimized } = createStatementCaches();
    const statement = bound('WITH c AS (SELECT * FROM orders), d AS (SELECT * FROM c) SELECT * FROM d');
    expect(statement.statement.columnCount).to.be.greaterThan(3 * 1_600);
    for (let i = 0; i < 600; i++) optimized.set(`${i} ${'x'.repeat(300)}`, statement);
    expect(optimized.size).to.be.within(5, 30);
  });

  it('is few of those whose text or parameters are long', () => {
    const { optimized, parsed, examples } = createStatementCaches();
    const statement = bound('SELECT a1 FROM orders');
    for (let i = 0; i < 600; i++) {
      const key = `${i} ${'x'.repeat(60_000)}`;
      optimized.set(key, statement);
      parsed.set(key, { query: parse('SELECT 1'), tables: [], normalizedSql: '', keyValues: null });
      examples.set(key, null);
    }
    for (const cache of [optimized, parsed, examples]) expect(cache.size).to.be.below(10);
  });
});
