/** What a WHERE implies of the keys of a small table, as text. */
import { expect } from 'chai';
import type { CatalogTable } from '../../../src/catalog/table.ts';
import type { TableScan } from '../../../src/logical/plan.ts';
import { walkDeep } from '../../../src/logical/visit.ts';
import { turnedAround } from '../../../src/optimizer/turned-around/turned-around.ts';
import { printExpression } from '../../../src/planning/explain/print-expression.ts';
import { attribute, catalogTable, index } from '../../dynamodb/fixtures.ts';
import { bindSql, optimizeBound } from '../fixture.ts';

/**
 * Keys `pk` and `sk` (texts), of indexes `n` (a number), `b` (bytes) and, as a sort key, `m` (a number); `name`, `amount` and `tags`
 * are no keys.
 */
const TABLE: CatalogTable = catalogTable('pk:S, sk:S', {
  tableName: 't',
  indexes: [index('by-n', 'n:N'), index('by-b', 'b:B'), index('by-m', 'pk:S, m:N', { global: false })],
  attributes: [
    attribute('pk', { S: 10 }),
    attribute('sk', { S: 10 }),
    attribute('n', { N: 10 }),
    attribute('m', { N: 10 }),
    attribute('b', { B: 10 }),
    attribute('name', { S: 10 }),
    attribute('amount', { N: 10 }),
    attribute('tags', { L: 10 }),
  ],
  sampledItems: 10,
});

/** The conclusions, joined by AND; empty where there is none. */
export function saidOfKeys(where: string): string {
  const { plan } = optimizeBound(
    bindSql(`SELECT pk, sk, n, m, b, name, amount, tags FROM t WHERE ${where}`, '', [TABLE]),
  );
  const scans: TableScan[] = [];
  walkDeep(plan, { plan: (node) => void (node.kind === 'TableScan' && scans.push(node)) });
  const all = scans.flatMap((scan) => turnedAround(scan.filter, scan.columns, scan.table));
  return all
    .map((implied) => {
      const text = printExpression(implied, ({ name }) => name);
      return implied.kind === 'Or' && all.length > 1 ? `(${text})` : text;
    })
    .join(' AND ');
}

/** Conditions, each with what it implies of the keys. */
export function expectSaid(cases: Readonly<Record<string, string>>): void {
  for (const [where, implied] of Object.entries(cases)) expect(saidOfKeys(where), where).to.equal(implied);
}

/** Conditions that imply nothing of the keys that they do not say. */
export function expectNothingSaid(conditions: readonly string[]): void {
  for (const where of conditions) expect(saidOfKeys(where), where).to.equal('');
}
