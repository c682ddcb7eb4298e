import { expect } from 'chai';
import type { CatalogTable } from '../../../src/catalog/table.ts';
import type { LookupDecision } from '../../../src/dynamodb/bounded-regret/choose-lookups.ts';
import { startTestAws, type TestAws } from '../../dynamodb/aws.ts';
import { testDatabase } from '../../execution/tables.ts';
import { createTable } from '../create-table.ts';
import { plainEngine } from '../plain-engine.ts';
import { keys, shapeTable } from './shapes.ts';

const ROUNDS = [1, 2];

const STATEMENTS = [
  // Rows, of columns of their own types; how many alone; of the same table twice, by one fallback
  `SELECT p.id, l.k, l.seq FROM shop.keys p JOIN shop.tens l ON l.k = p.k WHERE p.n < 35`,
  `SELECT count(*) FROM shop.keys p JOIN shop.tens l ON l.k = p.k WHERE p.n < 35`,
  `SELECT count(*), max(a.seq), max(b.seq) FROM shop.keys p JOIN shop.hot a ON a.k = p.k JOIN shop.hot b ON b.k = p.k AND b.seq < 9 WHERE p.n < 35`,
  `SELECT p.id, l.seq FROM shop.keys p LEFT JOIN shop.hot l ON l.k = p.k AND l.seq > 330 WHERE p.n < 35`,
];

describe('lookups that are left for the certain path', () => {
  let aws: TestAws;
  const database = testDatabase();
  const tables = [shapeTable('tens'), shapeTable('hot'), keys()];
  before(async function () {
    this.timeout(60_000);
    aws = await startTestAws();
    for (const { catalog, items } of tables) await createTable(aws.client, catalog, items);
  });
  after(async () => {
    await database.close();
    await aws.close();
  });

  const find = (name: string): CatalogTable => {
    const found = tables.find(({ catalog }) => catalog.tableName === name);
    if (found === undefined) throw new Error(`no table ${name}`);
    return found.catalog;
  };
  const engineOf = (parts: Parameters<typeof plainEngine>[3]) =>
    plainEngine(
      database,
      aws.client,
      async (_, references) => references.map(({ table }) => ({ kind: 'table', table: find(table) })),
      parts,
    );

  for (const sql of STATEMENTS)
    it(`give the rows of the scan, after whichever round that is: ${sql.slice(0, 80)}`, async function () {
      this.timeout(60_000);
      const scanned = await engineOf({ pushdown: false })(sql);
      for (const rounds of ROUNDS) {
        let fellBack = 0;
        const decideLookups = (ledgers: readonly { readonly rounds: number }[]): LookupDecision => {
          if (!ledgers.some((ledger) => ledger.rounds >= rounds)) return 'goOn';
          fellBack++;
          return 'certainPath';
        };
        await aws.clear();
        expect(await engineOf({ decideLookups })(sql), `after ${rounds}`).to.equal(scanned);
        const operations = (await aws.requests()).map(({ operation }) => operation);
        expect(fellBack, `after ${rounds}`).to.be.above(0);
        expect(operations.filter((one) => one === 'Query').length).to.be.above(0);
        // The keys, and the table once for all that fall back on it.
        expect(operations.filter((one) => one === 'Scan').length).to.equal(2);
      }
    });
});
