/** Indexes follow their table later: what an index lookup finds may have changed since, or be gone. */
import { PutItemCommand, DeleteItemCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { attribute, index } from '../dynamodb/fixtures.ts';
import { interceptedClient } from '../dynamodb/intercepted-client.ts';
import { SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { seededRandom } from '../dynamodb/random.ts';
import { testDatabase } from '../execution/tables.ts';
import { plainEngine } from './plain-engine.ts';
import { engineTable, n, s } from './shop.ts';
import type { EngineTable } from './engine-table.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ITEMS = 120;

type Item = Readonly<Record<string, AttributeValue>>;

const ticket = (id: number, queue: string, day: string): Item => ({
  id: n(id),
  queue: s(queue),
  day: s(day),
  mark: s(queue),
  total: n(id * 10),
  padding: s('x'.repeat(500)),
});
const dayOf = (i: number): string => `d${String(i).padStart(4, '0')}`;

/** 60 tickets of queue `open`, 60 `closed`, by day; the index has the keys alone, another one everything. */
function tickets(tableName: string): EngineTable {
  const items = Array.from({ length: ITEMS }, (_, i) =>
    ticket(i, i % 2 === 0 ? 'open' : 'closed', dayOf(i * 10)),
  );
  const table = engineTable(
    tableName,
    { partitionKey: { name: 'id', type: 'N' }, sortKey: null },
    items,
    600,
  );
  const size = { itemCount: 100_000, sizeBytes: 100_000 * 60 };
  const known = table.catalog.attributes.filter(({ name }) => !['queue', 'mark', 'day'].includes(name));
  return {
    ...table,
    catalog: {
      ...table.catalog,
      itemCount: 100_000,
      sizeBytes: 60_000_000,
      indexes: [
        index('by_queue', 'queue:S, day:S', { projection: 'KEYS_ONLY', ...size }),
        index('whole', 'mark:S, day:S', { ...size, sizeBytes: 60_000_000 }),
      ],
      attributes: [...known, ...['queue', 'mark', 'day'].map((name) => attribute(name, { S: 100 }, 100))],
      sampledItems: 100,
    },
  };
}

describe('indexes that lag', function () {
  this.timeout(60_000);
  let engine: TestEngine;
  const names = Array.from({ length: 7 }, (_, i) => `tickets${i}`);
  let tableName = '';
  before(async () => {
    engine = await startTestEngine(names.map(tickets));
  });
  beforeEach(() => {
    tableName = names.pop() ?? '';
  });
  after(() => engine.close());

  const lag = () => engine.aws.faults([{ tableName, indexName: 'by_queue', indexLagMs: DAY_MS }]);
  const put = (item: Item) =>
    engine.aws.client.send(new PutItemCommand({ TableName: tableName, Item: { ...item } }));
  const remove = (id: number) =>
    engine.aws.client.send(new DeleteItemCommand({ TableName: tableName, Key: { id: n(id) } }));

  /** All pages, one after the other; fails when a page says that there is more and there is none for ever. */
  async function walk(sql: string, maxRows: number): Promise<readonly (readonly unknown[])[]> {
    const pages: unknown[][] = [];
    for (let resumeIdx = 0; pages.length < 200;) {
      const page = await engine.run(sql, { maxRows, resumeIdx });
      pages.push([...page.rows]);
      if (page.resumeIdx === null) return pages;
      expect(page.resumeIdx).to.equal(resumeIdx + page.rows.length);
      resumeIdx = page.resumeIdx;
    }
    throw new Error('the walk has no end');
  }

  it('a page is full and says that there are more, though items of it have changed or gone', async () => {
    await lag();
    await put(ticket(0, 'elsewhere', dayOf(0)));
    await put(ticket(2, 'elsewhere', dayOf(20)));
    await remove(4);
    const sql = `SELECT id, total FROM shop.${tableName} WHERE queue = 'open' AND day > 'd'`;
    expect((await engine.plan(sql, { maxRows: 10 })).text).to.include('IndexLookup');
    const first = await engine.run(sql, { maxRows: 10 });
    expect(first.rows).to.have.length(10);
    expect(first.resumeIdx).to.equal(10);
    const ids = (await walk(sql, 10)).flat().map((row) => (row as number[])[0]);
    expect(ids).to.deep.equal(Array.from({ length: 57 }, (_, i) => 6 + 2 * i));
  });

  it('a LIMIT is met by rows that pass, wherever it is computed', async () => {
    await lag();
    for (const id of [0, 2, 4]) await put(ticket(id, 'elsewhere', dayOf(id * 10)));
    const limited = `SELECT id, total FROM shop.${tableName} WHERE queue = 'open' AND day > 'd' ORDER BY day LIMIT 3`;
    expect((await engine.run(limited)).rows).to.deep.equal([
      [6, 60],
      [8, 80],
      [10, 100],
    ]);
    const computed = `SELECT count(*), sum(total) FROM (${limited}) t`;
    expect((await engine.run(computed)).rows).to.deep.equal([[3, 240]]);
  });

  it('an item that moved forwards in the order comes at its new place', async () => {
    await lag();
    await put(ticket(0, 'open', dayOf(55)));
    const sql = `SELECT id, day FROM shop.${tableName} WHERE queue = 'open' AND day > 'd' AND total >= 0 ORDER BY day`;
    const exact = `SELECT id, day, total FROM shop.${tableName} WHERE queue = 'open' AND day > 'd' ORDER BY day LIMIT 3`;
    expect((await engine.run(exact)).rows.map((row) => (row as number[])[0])).to.deep.equal([2, 4, 0]);
    for (const maxRows of [2, 7]) {
      const pages = await walk(sql, maxRows);
      expect(pages.flat().map((row) => (row as number[])[0])).to.deep.equal([
        ...[2, 4, 0],
        ...Array.from({ length: 57 }, (_, i) => 6 + 2 * i),
      ]);
    }
  });

  for (const direction of ['ASC', 'DESC'])
    it(`an item that moved backwards in the order (${direction}) breaks the order of no page`, async () => {
      await lag();
      const [id, day] = direction === 'ASC' ? [8, dayOf(5)] : [110, dayOf(1155)];
      await put(ticket(id, 'open', day));
      for (const columns of ['id, day, total', 'id, total', 'total + 1, id'])
        for (const maxRows of [10, 100]) {
          const sql = `SELECT ${columns} FROM shop.${tableName} WHERE queue = 'open' AND day > 'd' ORDER BY day ${direction}`;
          const at = columns.split(', ').indexOf('id');
          const pages = (await walk(sql, maxRows)).map((page) =>
            page.map((row) => (row as number[])[at] ?? -1),
          );
          expect(pages.flat().sort((a, b) => a - b)).to.deep.equal(
            Array.from({ length: 60 }, (_, i) => 2 * i),
          );
          const placeOf = (one: number): string => (one === id ? day : dayOf(one * 10));
          for (const page of pages) {
            const sorted = page.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
            expect(page).to.deep.equal(direction === 'ASC' ? sorted : sorted.reverse());
          }
        }
    });

  it('an item that two ranges find, one after the other, comes once', async () => {
    // In this process: its client says when the item moves.
    const database = testDatabase();
    const { catalog } = tickets(tableName);
    let queries = 0;
    const client = interceptedClient(engine.aws, async ({ operation }, send) => {
      const answer = await send();
      if (operation === 'Query' && ++queries === 1)
        for (const id of [1, 3]) await put(ticket(id, 'open', dayOf(id * 10)));
      return answer;
    });
    const run = plainEngine(database, client, async (_, references) =>
      references.map(() => ({ kind: 'table', table: catalog })),
    );
    for (const sql of [
      `SELECT id, total FROM shop.${tableName} WHERE queue IN ('closed', 'open') AND day > 'd'`,
      `SELECT count(*), sum(total) FROM shop.${tableName} WHERE queue IN ('closed', 'open') AND day > 'd' AND total >= 0`,
      `SELECT id, total FROM shop.${tableName} WHERE mark IN ('closed', 'open') AND day > 'd'`,
      `SELECT id, total FROM shop.${tableName} WHERE mark IN ('closed', 'open') AND day > 'd' ORDER BY day LIMIT 1000`,
    ]) {
      for (const id of [1, 3]) await put(ticket(id, 'closed', dayOf(id * 10)));
      queries = 0;
      const rows = JSON.parse(`[${await run(sql)}]`) as unknown[];
      expect(queries, sql).to.be.greaterThan(1);
      if (sql.includes('count')) expect(rows).to.deep.equal([[ITEMS, (10 * ITEMS * (ITEMS - 1)) / 2]]);
      else {
        const ids = rows.map((row) => (row as number[])[0] ?? -1).sort((a, b) => a - b);
        expect(ids, sql).to.deep.equal(Array.from({ length: ITEMS }, (_, i) => i));
      }
    }
    await database.close();
  });

  it(`finds what matches now of what the index has, in random changes and random walks (${SEED_SHOWN})`, async () => {
    const random = seededRandom(SEED);
    const pick = (count: number): number => random.int(count);
    const now = new Map<number, { queue: string; day: string | null }>();
    const then = new Map<number, { queue: string; day: string }>();
    for (let id = 0; id < ITEMS; id++) {
      const state = { queue: id % 2 === 0 ? 'open' : 'closed', day: dayOf(id * 10) };
      then.set(id, state);
      now.set(id, state);
    }
    await lag();
    for (let change = 0; change < 60; change++) {
      const id = pick(ITEMS + 10);
      const queue = ['open', 'closed', 'elsewhere'][pick(3)] ?? '';
      const day = dayOf(pick(ITEMS * 10));
      const kind = pick(4);
      if (kind === 0) {
        await remove(id);
        now.delete(id);
      } else if (kind === 1) {
        const { day: _, ...rest } = ticket(id, queue, day);
        await put(rest);
        now.set(id, { queue, day: null });
      } else {
        await put(ticket(id, queue, day));
        now.set(id, { queue, day });
      }
    }
    const CONDITIONS: readonly [sql: string, matches: (queue: string, day: string) => boolean][] = [
      [`queue = 'open' AND day > 'd'`, (queue) => queue === 'open'],
      [`queue = 'closed' AND day < 'd0600'`, (queue, day) => queue === 'closed' && day < 'd0600'],
      [
        `queue = 'open' AND day BETWEEN 'd0200' AND 'd0900'`,
        (queue, day) => queue === 'open' && day >= 'd0200' && day <= 'd0900',
      ],
      [
        `queue IN ('open', 'closed') AND day > 'd0300'`,
        (queue, day) => queue !== 'elsewhere' && day > 'd0300',
      ],
      [
        `queue = 'open' AND (day < 'd0300' OR day > 'd0900')`,
        (queue, day) => queue === 'open' && (day < 'd0300' || day > 'd0900'),
      ],
    ];
    for (let round = 0; round < 20; round++) {
      const [condition, matches] = CONDITIONS[round % CONDITIONS.length] ?? ['', () => false];
      const order = ['', ' ORDER BY day', ' ORDER BY day DESC'][pick(3)] ?? '';
      const checked = pick(2) === 0 ? '' : ' AND total * 2 >= 0';
      const sql = `SELECT id, total FROM shop.${tableName} WHERE ${condition}${checked}${order}`;
      const pages = await walk(sql, 5 + pick(40));
      const ids = pages.flat().map((row) => (row as number[])[0] ?? -1);
      const wanted = [...now]
        .filter(([id, { queue, day }]) => {
          const entry = then.get(id);
          return (
            day !== null && matches(queue, day) && entry !== undefined && matches(entry.queue, entry.day)
          );
        })
        .map(([id]) => id);
      // Ranges may be read as one, and then have entries of items that have come to match since.
      expect(ids, sql).to.include.members(wanted);
      expect(new Set(ids).size, sql).to.equal(ids.length);
      for (const id of ids) {
        const state = now.get(id);
        expect(state?.day != null && matches(state.queue, state.day), `${sql}: ${id}`).to.equal(true);
      }
      if (order === '') continue;
      for (const page of pages) {
        const days = page.map((row) => now.get((row as number[])[0] ?? -1)?.day ?? '');
        const sorted = days.toSorted();
        expect(days, sql).to.deep.equal(order.endsWith('DESC') ? sorted.reverse() : sorted);
      }
    }
  });
});
