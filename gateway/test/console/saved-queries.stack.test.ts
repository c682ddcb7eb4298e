import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { PATHS, savedQueryPath, savedQueryTextsPath } from '../../src/console/api/paths.ts';
import type { Page } from '../../src/console/api/protocol.ts';
import type { SavedQuery, SavedQueryTexts } from '../../src/console/api/saved-queries.ts';
import { SAVED_QUERIES_MAX } from '../../src/limits.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newTenant } from '../e2e/support/tenant.ts';
import { consoleUser, type ConsoleUser } from './support/console.ts';

interface Answered<Data> {
  readonly data: Data;
  readonly error?: { readonly code: string };
}

/** So many that they come in more than one page. Saved last, since each saving reads all that there are. */
const LONG = 20;

describe('saved queries', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let ada: ConsoleUser;
  let bob: ConsoleUser;
  let stranger: ConsoleUser;

  before(async () => {
    stack = await sharedStack();
    const { tenantId } = await newTenant(stack);
    [ada, bob] = [await consoleUser(stack, tenantId), await consoleUser(stack, tenantId, 'member')];
    stranger = await consoleUser(stack, (await newTenant(stack)).tenantId);
  });

  const save = (who: ConsoleUser, name: string, sql = 'SELECT 1') =>
    who.call<Answered<SavedQuery>>('POST', PATHS.savedQueries, { json: { name, sql } });
  const listed = async (who: ConsoleUser): Promise<readonly SavedQuery[]> => {
    const all: SavedQuery[] = [];
    let path: string = PATHS.savedQueries;
    for (;;) {
      const { items, nextToken } = (await who.call<Answered<Page<SavedQuery>>>('GET', path)).body.data;
      all.push(...items);
      if (nextToken === undefined) return all;
      path = `${PATHS.savedQueries}?nextToken=${encodeURIComponent(nextToken)}`;
    }
  };

  it('are kept as they were typed, and each person of the tenant has them', async () => {
    const sql = '-- \u202Eevil\nSELECT "<b>" FROM shop.orders WHERE x = \'\u200B\'';
    const { status, body } = await save(ada, 'Paid orders <script>', sql);
    expect(status).to.equal(201);
    expect(body.data).to.include({
      name: 'Paid orders <script>',
      sql,
      version: 1,
      updatedBy: ada.user.email,
      createdBy: ada.user.email,
    });
    const { savedQueryId } = body.data;
    expect(
      (await bob.call<Answered<SavedQuery>>('GET', savedQueryPath(savedQueryId))).body.data,
    ).to.deep.equal(body.data);
    expect((await listed(bob)).map(({ name }) => name)).to.include('Paid orders <script>');
  });

  it('are changed by whose they are and by administrators, unless somebody was faster', async () => {
    const { savedQueryId } = (await save(bob, 'changing')).body.data;
    const path = savedQueryPath(savedQueryId);
    const change = (who: ConsoleUser, json: object) =>
      who.call<Answered<SavedQuery>>('PATCH', path, { json });
    const changed = await change(bob, { sql: 'SELECT 2', version: 1 });
    expect(changed.body.data).to.include({ sql: 'SELECT 2', version: 2, updatedBy: bob.user.email });
    const late = await change(ada, { sql: 'SELECT 3', version: 1 });
    expect([late.status, late.body.error?.code]).to.deep.equal([409, 'CONFLICT']);
    expect((await change(ada, { name: 'Changed' })).body.data).to.include({
      ...{ name: 'Changed', version: 3 },
      ...{ createdBy: bob.user.email, updatedBy: ada.user.email },
    });
    expect((await change(ada, { version: 3 })).status).to.equal(400);
    const texts = (who: ConsoleUser) =>
      who.call<Answered<SavedQueryTexts>>('GET', savedQueryTextsPath(savedQueryId));
    const { texts: kept } = (await texts(bob)).body.data;
    expect(kept.map(({ number, sql, savedBy }) => [number, sql, savedBy])).to.deep.equal([
      [2, 'SELECT 2', bob.user.email],
      [1, 'SELECT 1', bob.user.email],
    ]);
    expect((await texts(stranger)).status).to.equal(404);
  });

  it('are not changed nor deleted by another member, who is told whose they are', async () => {
    const { savedQueryId } = (await save(ada, "ada's own")).body.data;
    const path = savedQueryPath(savedQueryId);
    for (const [method, options] of [
      ['PATCH', { json: { sql: 'SELECT 2' } }],
      ['DELETE', {}],
    ] as const) {
      const { status, body, text } = await bob.call<Answered<SavedQuery>>(method, path, options);
      expect([status, body.error?.code]).to.deep.equal([403, 'TENANT_ADMIN_REQUIRED']);
      expect(text).to.include(ada.user.email);
    }
    expect((await bob.call<Answered<SavedQuery>>('GET', path)).body.data.sql).to.equal('SELECT 1');
    expect((await save(bob, "ada's own (copy)")).status).to.equal(201);
  });

  it('have names that are unique whatever the case, and free again when they are given up', async () => {
    const first = (await save(ada, 'Unique')).body.data;
    expect((await save(bob, 'uNIQUE')).status).to.equal(409);
    const other = (await save(bob, 'another')).body.data;
    const rename = (id: string, name: string) => ada.call('PATCH', savedQueryPath(id), { json: { name } });
    expect((await rename(other.savedQueryId, 'UNIQUE')).status).to.equal(409);
    expect((await rename(first.savedQueryId, 'UNIQUE')).status).to.equal(200);
    expect((await rename(first.savedQueryId, 'Renamed')).status).to.equal(200);
    expect((await rename(other.savedQueryId, 'Unique')).status).to.equal(200);
    expect((await ada.call('DELETE', savedQueryPath(other.savedQueryId))).status).to.equal(200);
    expect((await save(ada, 'unique')).status).to.equal(201);
  });

  it("are nobody else's", async () => {
    const { savedQueryId, name } = (await save(ada, 'secret plan')).body.data;
    const path = savedQueryPath(savedQueryId);
    expect((await stranger.call('GET', path)).status).to.equal(404);
    expect((await stranger.call('PATCH', path, { json: { sql: 'x' } })).status).to.equal(404);
    expect((await stranger.call('DELETE', path)).status).to.equal(404);
    expect((await save(stranger, name)).status).to.equal(201);
    expect((await listed(stranger)).map((query) => query.savedQueryId)).to.not.include(savedQueryId);
    expect((await ada.call<Answered<SavedQuery>>('GET', path)).body.data.sql).to.equal('SELECT 1');
  });

  it('come in pages where they are long, and end at a number', async () => {
    const many = await consoleUser(stack, (await newTenant(stack)).tenantId);
    const long = `SELECT '${'x'.repeat(60_000)}'`;
    for (let i = 0; i < SAVED_QUERIES_MAX; i += 1) {
      const { status, text } = await save(
        many,
        `query ${i}`,
        i < SAVED_QUERIES_MAX - LONG ? 'SELECT 1' : long,
      );
      if (status === 429) i -= 1;
      else expect(status, text).to.equal(201);
    }
    const refused = await save(many, 'one more');
    expect([refused.status, refused.body.error?.code]).to.deep.equal([409, 'LIMIT_REACHED']);
    const first = await many.call<Answered<Page<SavedQuery>>>('GET', PATHS.savedQueries);
    expect(first.body.data.nextToken).to.be.a('string');
    const all = await listed(many);
    expect(new Set(all.map(({ savedQueryId }) => savedQueryId)).size).to.equal(SAVED_QUERIES_MAX);
    expect(all).to.have.length(SAVED_QUERIES_MAX);
  });
});
