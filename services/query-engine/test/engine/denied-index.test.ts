import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { allowRawReads } from '@penstock/common/dynamodb/raw-reads.ts';
import { expect } from 'chai';
import type { CatalogTable } from '../../src/catalog/table.ts';
import { startTestAws, type TestAws } from '../dynamodb/aws.ts';
import { catalogTable, index } from '../dynamodb/fixtures.ts';
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
    const { requestHandler } = aws.client.config;
    const client = new DynamoDBClient({
      endpoint: aws.endpoint,
      region: 'eu-west-1',
      credentials: { accessKeyId: aws.accountId, secretAccessKey: 'test' },
      requestHandler: {
        handle: async (request: { readonly body?: unknown }) => {
          const { IndexName } = JSON.parse(String(request.body)) as { readonly IndexName?: string };
          if (IndexName === undefined) return requestHandler.handle(request as never);
          asked.push(IndexName);
          const message =
            'User: x is not authorized to perform: dynamodb:Query on resource: ' +
            `arn:aws:dynamodb:eu-west-1:111122223333:table/goods/index/${IndexName} because no identity-based policy allows it`;
          const body = Buffer.from(JSON.stringify({ __type: 'AccessDeniedException', message }));
          return { response: { statusCode: 400, headers: {}, body: Readable.from([body]) } };
        },
      },
    });
    allowRawReads(client);
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
});
