import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import type { CatalogTable } from '../../src/catalog/table.ts';
import { startTestAws, type TestAws } from '../dynamodb/aws.ts';
import { catalogTable, index } from '../dynamodb/fixtures.ts';
import { interceptedClient, refusal } from '../dynamodb/intercepted-client.ts';
import { testDatabase } from '../execution/tables.ts';
import { createTable } from './create-table.ts';
import { plainEngine } from './plain-engine.ts';

const GOODS: CatalogTable = catalogTable('id:S', {
  tableName: 'goods',
  itemCount: 1000,
  sizeBytes: 400_000,
  indexes: [index('by-kind', 'kind:S'), index('by-kind-keys', 'kind:S', { projection: 'KEYS_ONLY' })],
});
const ITEMS = ['a', 'b', 'c'].map((id) => ({ id: { S: id }, kind: { S: 'k' }, note: { S: 'n' } }));

describe('an index that the role may not read', () => {
  let aws: TestAws;
  const database = testDatabase();
  before(async function () {
    this.timeout(60_000);
    aws = await startTestAws();
    await createTable(aws.client, GOODS, ITEMS);
  });
  after(async () => {
    await database.close();
    await aws.close();
  });

  /** A client of a role that may read the table, and none of its indexes; and the indexes that were asked for. */
  function withoutIndexes(): { client: DynamoDBClient; asked: string[] } {
    const asked: string[] = [];
    const client = interceptedClient(aws, async ({ input }, send) => {
      const { IndexName } = input;
      if (typeof IndexName !== 'string') return send();
      asked.push(IndexName);
      return refusal(
        'AccessDeniedException',
        'User: x is not authorized to perform: dynamodb:Query on resource: ' +
          `arn:aws:dynamodb:eu-west-1:111122223333:table/goods/index/${IndexName} because no identity-based policy allows it`,
      );
    });
    return { client, asked };
  }

  it('is done without, in that statement and in those of the next minutes', async () => {
    const { client, asked } = withoutIndexes();
    const runOn = plainEngine(database, client, async (_, references) =>
      references.map(() => ({ kind: 'table', table: GOODS })),
    );
    const run = (): Promise<string> => runOn("SELECT id FROM shop.goods WHERE kind = 'k' ORDER BY id");
    expect(await run()).to.equal('["a"],["b"],["c"]');
    expect(asked).to.have.members(['by-kind', 'by-kind-keys']);
    expect(await run()).to.equal('["a"],["b"],["c"]');
    expect(asked).to.have.length(2);
  });

  it('is denied where a statement names it, also when others do without it already', async () => {
    const { client, asked } = withoutIndexes();
    const runOn = plainEngine(database, client, async (_, references) =>
      references.map(() => ({ kind: 'table', table: GOODS })),
    );
    const named = async (): Promise<unknown> =>
      runOn('SELECT id FROM shop.goods."by-kind" WHERE kind = \'k\'').catch((error: unknown) => error);
    for (const times of [1, 2]) {
      expect(await named()).to.include({ code: 'ACCESS_DENIED' });
      expect(await named())
        .to.have.property('message')
        .that.equals('Access denied: the role may not perform dynamodb:Query on shop.goods.by-kind');
      expect(asked)
        .to.include('by-kind')
        .and.have.length(times === 1 ? 2 : 6);
      if (times === 1)
        expect(await runOn("SELECT id FROM shop.goods WHERE kind = 'k'")).to.equal('["a"],["b"],["c"]');
    }
  });
});
