import { expect } from 'chai';
import type { SavedQuery } from '../../../src/console/api/saved-queries.ts';
import { saveOver } from '../../../src/console/web/pages/query/saved/save.ts';
import { saved } from '../pictures/states/query-answers.ts';

describe('Saving over a query', () => {
  const { fetch } = globalThis;
  const [stored] = saved as readonly [SavedQuery];
  /** As the server has it; null: it was deleted. */
  let there: SavedQuery | null;
  const sent: unknown[] = [];

  const refused = (status: number, code: string): Response =>
    Response.json(
      { success: false, error: { message: 'grace changed this query meanwhile', code } },
      { status },
    );

  before(() => {
    globalThis.fetch = async (_path, init) => {
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Partial<SavedQuery>) : null;
      sent.push([init?.method, body]);
      if (init?.method === 'POST')
        return Response.json({ success: true, data: { ...stored, ...body, version: 1 } });
      if (there === null) return refused(404, 'NOT_FOUND');
      if (init?.method === 'GET') return Response.json({ success: true, data: there });
      if (body?.version !== there.version) return refused(409, 'CONFLICT');
      there = { ...there, ...body, version: there.version + 1 };
      return Response.json({ success: true, data: there });
    };
  });
  beforeEach(() => {
    there = stored;
    sent.length = 0;
  });
  after(() => {
    globalThis.fetch = fetch;
  });

  it('takes the version that was opened', async () => {
    const outcome = await saveOver(stored, 'SELECT 2');
    expect(outcome).to.deep.equal({ kind: 'saved', query: { ...stored, sql: 'SELECT 2', version: 4 } });
  });

  it('gives what somebody else saved in between, and overwrites that only where it is meant', async () => {
    const theirs = { ...stored, sql: 'SELECT 3', version: 4, updatedBy: 'grace@example.com' };
    there = theirs;
    expect(await saveOver(stored, 'SELECT 2')).to.deep.equal({ kind: 'conflict', theirs });
    expect(there).to.equal(theirs);
    expect(await saveOver(theirs, 'SELECT 2')).to.have.nested.property('query.sql', 'SELECT 2');
  });

  it('gives once more what was saved between the two looks', async () => {
    const theirs = { ...stored, sql: 'SELECT 4', version: 5 };
    there = theirs;
    expect(await saveOver({ ...stored, version: 4 }, 'SELECT 2')).to.deep.equal({ kind: 'conflict', theirs });
  });

  it('saves anew what was deleted meanwhile', async () => {
    there = null;
    const outcome = await saveOver(stored, 'SELECT 2');
    expect(outcome).to.have.property('kind', 'saved');
    expect(sent.at(-1)).to.deep.equal(['POST', { name: stored.name, sql: 'SELECT 2' }]);
  });
});
