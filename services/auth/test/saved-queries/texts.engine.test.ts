import { expect } from 'chai';
import { SAVED_QUERY_EARLIER_TEXTS_MAX } from '../../src/limits.ts';
import { createSavedQueries, type SavedQueries } from '../../src/saved-queries/administer.ts';
import { createSavedQueryStore, type SavedQueryStore } from '../../src/store/saved-queries.ts';
import { movableClock } from '../support/clock.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';

interface Author {
  readonly tenantId: string;
  readonly email: string;
  readonly isAdmin: boolean;
}

const ADA: Author = Object.freeze({ tenantId: 'tnt_1', email: 'ada@example.com', isAdmin: false });
const GRACE: Author = Object.freeze({ tenantId: 'tnt_1', email: 'grace@example.com', isAdmin: true });
const BOB: Author = Object.freeze({ tenantId: 'tnt_1', email: 'bob@example.com', isAdmin: false });

describe('The texts of a saved query', () => {
  let dynamo: TestDynamo;
  let table: Awaited<ReturnType<TestDynamo['table']>>;
  let store: SavedQueryStore;
  let queries: SavedQueries;
  let savedQueryId: string;
  const clock = movableClock();

  before(async () => void (dynamo = await startTestDynamo()));
  after(() => dynamo.close());
  beforeEach(async () => {
    table = await dynamo.table(clock);
    store = createSavedQueryStore(table, clock);
    queries = createSavedQueries(store, clock);
    ({ savedQueryId } = await queries.create(ADA, 'daily', 'SELECT 1'));
  });

  const save = async (author: Author, sql: string | null, name: string | null = null) => {
    clock.forward(60);
    return queries.update(author, savedQueryId, { name, sql, revision: null });
  };
  const said = async (author: Author = ADA): Promise<readonly string[]> =>
    (await queries.texts(author, savedQueryId)).map(({ sql, savedBy }) => `${sql} ${savedBy}`);
  /** Sort keys of all that the table has. */
  const stored = async (): Promise<readonly string[]> =>
    [...(await dynamo.dump(table.tableName)).matchAll(/"(QUERY[^"]*)"/g)].map(([, key = '']) => key);
  const kept = async (): Promise<readonly string[]> =>
    (await stored()).filter((key) => key.startsWith('QUERY_TEXT#'));

  it('are what it is and what it was, with who and when, the latest first', async () => {
    expect(await said()).to.deep.equal(['SELECT 1 ada@example.com']);
    await save(GRACE, 'SELECT 2');
    await save(ADA, 'SELECT 3');
    expect(await said()).to.deep.equal([
      'SELECT 3 ada@example.com',
      'SELECT 2 grace@example.com',
      'SELECT 1 ada@example.com',
    ]);
    const times = (await queries.texts(ADA, savedQueryId)).map(({ savedAt }) => savedAt);
    expect(times).to.deep.equal([...times].sort().reverse());
    expect(new Set(times).size).to.equal(3);
  });

  it('are restored by saving them again: what was there then is an earlier one, too', async () => {
    await save(ADA, 'SELECT 2');
    const [, first] = await queries.texts(ADA, savedQueryId);
    await save(GRACE, first!.sql);
    expect(await said()).to.deep.equal([
      'SELECT 1 grace@example.com',
      'SELECT 2 ada@example.com',
      'SELECT 1 ada@example.com',
    ]);
  });

  it('are not more for a new name, nor for the same text, and stay whose they are', async () => {
    await save(GRACE, null, 'weekly');
    await save(GRACE, 'SELECT 1');
    expect(await said()).to.deep.equal(['SELECT 1 ada@example.com']);
    await save(GRACE, 'SELECT 2');
    expect(await said()).to.deep.equal(['SELECT 2 grace@example.com', 'SELECT 1 ada@example.com']);
  });

  it('end with the oldest, each an item of its own', async () => {
    for (let i = 2; i <= 30; i += 1) await save(ADA, `SELECT ${i}`);
    const texts = await queries.texts(ADA, savedQueryId);
    expect(texts.map(({ sql }) => sql)).to.deep.equal(
      Array.from({ length: SAVED_QUERY_EARLIER_TEXTS_MAX + 1 }, (_, i) => `SELECT ${30 - i}`),
    );
    expect(await kept()).to.have.length(SAVED_QUERY_EARLIER_TEXTS_MAX);
  });

  it('are seen by who may change it, and by nobody of another tenant', async () => {
    await save(ADA, 'SELECT 2');
    expect(await said(GRACE)).to.have.length(2);
    const refused = async (author: Author): Promise<string> =>
      queries.texts(author, savedQueryId).then(
        () => 'seen',
        (error: { code: string }) => error.code,
      );
    expect(await refused(BOB)).to.equal('TENANT_ADMIN_REQUIRED');
    expect(await refused({ ...GRACE, tenantId: 'tnt_2' })).to.equal('NOT_FOUND');
  });

  it('go with it, also where it is saved while it is deleted, or deleting broke off', async () => {
    await save(ADA, 'SELECT 2');
    await queries.remove(ADA, savedQueryId);
    expect(await stored()).to.deep.equal([]);

    ({ savedQueryId } = await queries.create(ADA, 'daily', 'SELECT 1'));
    const slow: SavedQueryStore = {
      ...store,
      keepText: async (...text) => {
        await queries.remove(ADA, savedQueryId);
        await store.keepText(...text);
      },
    };
    const late = await createSavedQueries(slow, clock)
      .update(ADA, savedQueryId, { name: null, sql: 'SELECT 2', revision: null })
      .catch((error: { code: string }) => error.code);
    expect(late).to.equal('NOT_FOUND');
    expect(await stored()).to.deep.equal([]);

    await store.keepText('tnt_1', savedQueryId, { number: 1, sql: 'SELECT 1', savedAt: '', savedBy: '' });
    await queries.remove(ADA, savedQueryId).catch(() => undefined);
    expect(await stored()).to.deep.equal([]);
  });

  it('count on from the changes of a query that was saved before texts were kept', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    savedQueryId = 'sqy_old';
    await store.create('tnt_1', {
      ...{ savedQueryId, name: 'old', sql: 'SELECT 0', revision: 7 },
      ...{ createdAt: at, updatedAt: at, updatedBy: ADA.email },
    });
    await save(ADA, null, 'older');
    await save(ADA, 'SELECT 1');
    expect(await queries.texts(ADA, savedQueryId)).to.deep.include({
      ...{ number: 7, sql: 'SELECT 0', savedAt: at, savedBy: ADA.email },
    });
    expect(await said()).to.have.length(2);
  });

  it('do not have the one that was kept for a change that never came', async () => {
    await save(ADA, 'SELECT 2');
    const [now] = await queries.texts(ADA, savedQueryId);
    await store.keepText('tnt_1', savedQueryId, now!);
    expect(await said()).to.deep.equal(['SELECT 2 ada@example.com', 'SELECT 1 ada@example.com']);
  });
});
