/**
 * A tenant whose statements take all of DuckDB's memory: a neighbor is not told that its own needs too much.
 *
 * Takes turns: its statements take all memory and two cores for as long as a neighbor reads.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { expect } from 'chai';
import { IS_LONG } from '../../../../common/test/support/random-budget.ts';
import { toHostTable } from '../../../src/clients/host-tables.ts';
import { createHomes } from '../../../src/host/processes/homes.ts';
import { startTestAws, type TestAws } from '../../dynamodb/aws.ts';
import { createTable } from '../../engine/create-table.ts';
import { tableMessage } from '../table-message.ts';
import { startTestHost, type TestHost } from '../test-host.ts';
import { HOSTILE_TABLES } from './hostile-tables.ts';

const WORKERS = 2;
const homesOf = createHomes(WORKERS);
/** One of each worker. */
const HOGGING = [0, 1].map(
  (home) => Array.from({ length: 100 }, (_, i) => `hog-${i}`).find((name) => homesOf(name)[0] === home) ?? '',
);
const NEIGHBOR = 'neighbor';
/** Sorts more rows than there is room for. */
const HOG = (i: number): string =>
  `SELECT MAX(w) FROM (SELECT ROW_NUMBER() OVER (ORDER BY a.text || b.text || c.text, ${i}) AS w FROM hostile.rows a, hostile.rows b, hostile.rows c) q`;
const HOGS = 4;
const SQL =
  'SELECT a.n, COUNT(*), MAX(b.text) FROM hostile.rows a JOIN hostile.rows b ON a.n = b.n + 1 GROUP BY 1 ORDER BY 1';
const ROUNDS = IS_LONG ? 24 : 12;
/** Until the hogs have all memory, milliseconds. */
const HOGGED_MS = 1_500;

describe('a tenant whose statements take all memory', function () {
  this.timeout(120_000);
  let aws: TestAws;
  let host: TestHost;
  before(async () => {
    aws = await startTestAws();
    for (const { catalog, items } of HOSTILE_TABLES) await createTable(aws.client, catalog, items);
    host = await startTestHost({
      endpoint: aws.endpoint,
      accountOf: () => aws.accountId,
      workers: WORKERS,
      duckdbMemoryMb: 24,
      resolve: async (_, references) =>
        references.map(({ table }) => {
          const found = HOSTILE_TABLES.find(({ catalog }) => catalog.tableName === table)!;
          return { kind: 'table', table: toHostTable(tableMessage(found.catalog)) };
        }),
    });
  });
  after(async () => {
    await host.close();
    await aws.close();
  });

  const outcomeOf = (sql: string, tenantId: string, signal?: AbortSignal): Promise<string> =>
    host.run(sql, { tenantId, ...(signal && { signal }) }).then(
      () => 'answered',
      (error: unknown) => (error instanceof PenstockError ? error.code : String(error)),
    );

  it('is told so, and a neighbor in its worker is answered elsewhere', async () => {
    expect(await outcomeOf(HOG(0), HOGGING[0]!), 'alone').to.equal('RESOURCE_EXHAUSTED');
    expect(await outcomeOf(SQL, NEIGHBOR), 'alone').to.equal('answered');
    const over = new AbortController();
    const hogs = Array.from({ length: HOGS }, async (_, hog) => {
      for (let i = 1; !over.signal.aborted; i++)
        await outcomeOf(HOG(hog * 1_000 + i), HOGGING[hog % 2]!, over.signal);
    });
    // Sleeps: the hogs' statements fill the memory by and by.
    await sleep(HOGGED_MS);
    const outcomes = new Map<string, number>();
    for (let i = 0; i < ROUNDS; i++) {
      const outcome = await outcomeOf(SQL, NEIGHBOR);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    over.abort(new PenstockError('CANCELLED', 'over'));
    await Promise.all(hogs);
    const shown = `${JSON.stringify([...outcomes])}, run again ${host.counts.retried}`;
    process.stdout.write(`    ${shown}\n`);
    expect(outcomes.get('RESOURCE_EXHAUSTED') ?? 0, shown).to.equal(0);
    expect(outcomes.get('answered') ?? 0, shown).to.be.at.least(ROUNDS / 2);
  });
});
