import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { expect } from 'chai';
import type { CatalogTable } from '../../src/catalog/table.ts';
import { startTestAws, type TestAws } from '../dynamodb/aws.ts';
import { catalogTable, index } from '../dynamodb/fixtures.ts';
import { testDatabase } from '../execution/tables.ts';
import { createTable } from './create-table.ts';
import { plainEngine } from './plain-engine.ts';

const named = (version: string, key: string, more: Partial<CatalogTable> = {}): CatalogTable =>
  catalogTable(key, { tableName: 'goods', itemCount: 1000, sizeBytes: 400_000, version, ...more });

/** The same attributes under other keys. */
const BY_ID = named('1', 'id:S', { indexes: [index('by-kind', 'kind:S')] });
const BY_KIND = named('2', 'kind:S, id:S');
const ITEMS = ['a', 'b', 'c'].map((id) => ({ id: { S: id }, kind: { S: 'k' } }));

describe('a table that was made anew', () => {
  let aws: TestAws;
  const database = testDatabase();
  before(async function () {
    this.timeout(60_000);
    aws = await startTestAws();
    await createTable(aws.client, BY_KIND, ITEMS);
  });
  after(async () => {
    await database.close();
    await aws.close();
  });

  /** An engine whose registry knows the table as it was, until it is told that this is outdated. */
  function engineKnowing(held: CatalogTable, now: CatalogTable | PenstockError) {
    const asked: boolean[] = [];
    const run = plainEngine(database, aws.client, async (_, references) =>
      references.map(({ outdated }) => {
        asked.push(outdated);
        const answer = outdated ? now : held;
        return answer instanceof PenstockError
          ? { kind: 'error', error: answer }
          : { kind: 'table', table: answer };
      }),
    );
    return { asked, run };
  }

  const failure = async (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => null,
      (error: unknown) => error,
    );

  for (const [what, sql, rows] of [
    ['another key', `SELECT kind FROM shop.goods WHERE id = 'b'`, '["k"]'],
    ['without an index', `SELECT count(*) FROM shop.goods WHERE kind = 'k'`, '[3]'],
    ['without the keys of a batch', `SELECT id FROM shop.goods WHERE id IN ('a', 'c')`, '["a"],["c"]'],
  ] as const) {
    it(`with ${what} is described again, and the query answered`, async () => {
      const { asked, run } = engineKnowing(BY_ID, BY_KIND);
      expect(await run(sql)).to.equal(rows);
      expect(asked).to.deep.equal([false, true]);
      // What was learned is kept.
      expect(await run(sql)).to.equal(rows);
      expect(asked).to.have.length(2);
    });
  }

  /** Of items without its keys, or with keys of another type. */
  const UNLIKE = ['other:S', 'kind:S, other:N', 'id:N'].map((key) => named('1', key));

  it('is described again where a scan meets items without its keys', async () => {
    for (const held of UNLIKE) {
      const { asked, run } = engineKnowing(held, BY_KIND);
      expect(await run('SELECT * FROM shop.goods')).to.equal('["k","a"],["k","b"],["k","c"]');
      expect(asked).to.deep.equal([false, true]);
    }
  });

  it('says so where the registry knows nothing else of such items', async () => {
    for (const held of UNLIKE) {
      const { run } = engineKnowing(held, held);
      const error = await failure(run('SELECT * FROM shop.goods'));
      expect(error).to.include({
        code: 'EXECUTION_ERROR',
        message: 'The table shop.goods has other keys than when it was described',
      });
    }
  });

  it('says that a key is no column any more', async () => {
    const { run } = engineKnowing(named('1', 'other:S'), { ...BY_KIND, sampledItems: 3 });
    const error = await failure(run(`SELECT * FROM shop.goods WHERE other = '1'`));
    expect(error).to.include({ code: 'COLUMN_NOT_FOUND', message: 'Column not found: other' });
  });

  it('is asked for only once: the query fails where the registry knows nothing else', async () => {
    const { asked, run } = engineKnowing(BY_ID, BY_ID);
    const error = await failure(run(`SELECT kind FROM shop.goods WHERE id = 'b'`));
    expect(error).to.be.instanceOf(PenstockError);
    expect(asked).to.deep.equal([false, true]);
    const { run: wrong } = engineKnowing(BY_ID, named('3', 'other:S', { indexes: BY_ID.indexes }));
    expect(await failure(wrong(`SELECT kind FROM shop.goods WHERE kind = 'k'`))).to.be.instanceOf(
      PenstockError,
    );
  });

  it('is not found when it is gone', async () => {
    await aws.client.send(new DeleteTableCommand({ TableName: 'goods' }));
    const gone = new PenstockError('TABLE_NOT_FOUND', 'Table not found: shop.goods');
    const { asked, run } = engineKnowing(BY_ID, gone);
    const error = await failure(run(`SELECT kind FROM shop.goods WHERE id = 'b'`));
    expect(error).to.include({ code: 'TABLE_NOT_FOUND', message: 'Table not found: shop.goods' });
    expect(asked).to.deep.equal([false, true]);
  });
});
