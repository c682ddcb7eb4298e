import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { startAwsEndpoint } from '../../../../deploy/local/src/aws/server.ts';
import { createLogger } from '../../src/logging/logger.ts';
import {
  openControlTable,
  type ControlTable,
  type ControlTableOptions,
} from '../../src/store/control-table.ts';
import { fromItem, toItem, type ItemMap } from '../../src/store/item.ts';

describe('control table', () => {
  let endpoint: Awaited<ReturnType<typeof startAwsEndpoint>>;
  let dataDir: string;
  const opened: ControlTable[] = [];
  const before_ = { ...process.env };

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'penstock-store-'));
    endpoint = await startAwsEndpoint({ port: 0, host: '127.0.0.1', dataDir });
    process.env['AWS_ACCESS_KEY_ID'] = '000000000000';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
  });
  after(async () => {
    process.env['AWS_ACCESS_KEY_ID'] = before_['AWS_ACCESS_KEY_ID'];
    process.env['AWS_SECRET_ACCESS_KEY'] = before_['AWS_SECRET_ACCESS_KEY'];
    for (const { client } of opened) client.destroy();
    await endpoint.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function open(change: Partial<ControlTableOptions> = {}): Promise<ControlTable> {
    const table = await openControlTable({
      endpoint: endpoint.url,
      region: 'us-east-1',
      tableName: 'penstock-test',
      keys: { partitionKey: 'pk', sortKey: 'sk' },
      indexes: [{ name: 'byName', partitionKey: 'name', sortKey: 'sk' }],
      ttlAttribute: 'expiresAt',
      createIfMissing: true,
      ...change,
    });
    opened.push(table);
    return table;
  }

  it('is created with keys and indexes, billed on demand', async () => {
    const { client, tableName } = await open();
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    expect(Table?.TableStatus).to.equal('ACTIVE');
    expect(Table?.BillingModeSummary?.BillingMode).to.equal('PAY_PER_REQUEST');
    expect(Table?.KeySchema?.map(({ AttributeName }) => AttributeName)).to.deep.equal(['pk', 'sk']);
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).to.deep.equal(['byName']);
  });

  it('is opened again by the next process, also by several at once', async () => {
    await Promise.all([open({ tableName: 'penstock-race' }), open({ tableName: 'penstock-race' })]);
    await open({ tableName: 'penstock-race', createIfMissing: false });
  });

  it('is not created unless that was asked for, and the error says what to do', async () => {
    const error = await open({ tableName: 'penstock-none', createIfMissing: false }).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(String(error)).to.contain('penstock-none').and.to.contain('PENSTOCK_CREATE_TABLES=true');
  });

  it('has its TTL turned on at the next start where it is off, and says so', async () => {
    const tableName = 'penstock-ttl';
    const { ttlAttribute: _, ...withoutTtl } = { ttlAttribute: 'expiresAt', tableName };
    const { client } = await open({ ...withoutTtl, ttlAttribute: 'elsewhere' });
    const off = { AttributeName: 'elsewhere', Enabled: false };
    await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification: off }));
    const lines: string[] = [];
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const logger = createLogger({ service: 'test', level: 'info', destination });
    await open({ tableName, logger });
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName: tableName }),
    );
    expect(TimeToLiveDescription).to.include({ AttributeName: 'expiresAt' });
    expect(TimeToLiveDescription?.TimeToLiveStatus).to.match(/^ENABL/);
    expect(lines.join('')).to.include('TTL was off');
    lines.length = 0;
    await open({ tableName, logger });
    expect(lines.join('')).to.equal('');
  });

  it('keeps every kind of value that we write', async () => {
    const { client, tableName } = await open();
    const values: ItemMap = {
      pk: 'p',
      sk: 's',
      text: 'é',
      count: 42,
      ratio: 0.5,
      yes: true,
      none: null,
      bytes: new Uint8Array([1, 2]),
      names: ['b', 'a'],
      empty: [],
      nested: { list: [{ deep: 1 }], flag: false },
      absent: undefined,
    };
    await client.send(new PutItemCommand({ TableName: tableName, Item: toItem(values) }));
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: toItem({ pk: 'p', sk: 's' }) }),
    );
    const { absent: _, ...written } = values;
    expect(fromItem(Item ?? {})).to.deep.equal(written);
  });

  it('refuses a number that DynamoDB cannot store', () => {
    expect(() => toItem({ n: Number.NaN })).to.throw(RangeError);
  });
});
