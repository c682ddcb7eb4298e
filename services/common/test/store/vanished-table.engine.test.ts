import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import {
  DeleteTableCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { startAwsEndpoint } from '../../../../deploy/local/src/aws/server.ts';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { openControlTable, type ControlTable } from '../../src/store/control-table.ts';
import { until } from '../support/until.ts';

const ACCOUNT = '000000000000';

describe('a control table that vanishes', () => {
  let endpoint: Awaited<ReturnType<typeof startAwsEndpoint>>;
  let dataDir: string;
  let lines: string[];
  let made = 0;
  const opened: ControlTable[] = [];
  const environment = { ...process.env };

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'penstock-vanished-'));
    endpoint = await startAwsEndpoint({ port: 0, host: '127.0.0.1', dataDir });
    process.env['AWS_ACCESS_KEY_ID'] = ACCOUNT;
    process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
  });
  beforeEach(() => {
    lines = [];
    made += 1;
  });
  afterEach(() => {
    for (const table of opened.splice(0)) table.close();
  });
  after(async () => {
    process.env['AWS_ACCESS_KEY_ID'] = environment['AWS_ACCESS_KEY_ID'];
    process.env['AWS_SECRET_ACCESS_KEY'] = environment['AWS_SECRET_ACCESS_KEY'];
    await endpoint.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function open(createIfMissing: boolean, checkIntervalMs = 60_000): Promise<ControlTable> {
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const table = await openControlTable({
      endpoint: endpoint.url,
      region: 'us-east-1',
      tableName: `vanished-${made}`,
      keys: { partitionKey: 'pk' },
      ttlAttribute: 'expiresAt',
      createIfMissing,
      checkIntervalMs,
      logger: createLogger({ service: 'test', level: 'info', destination }),
    });
    opened.push(table);
    return table;
  }
  const drop = ({ client, tableName }: ControlTable) =>
    client.send(new DeleteTableCommand({ TableName: tableName }));
  const get = ({ client, tableName }: ControlTable) =>
    client.send(new GetItemCommand({ TableName: tableName, Key: { pk: { S: 'a' } } }));
  const put = ({ client, tableName }: ControlTable, pk = 'a') =>
    client.send(new PutItemCommand({ TableName: tableName, Item: { pk: { S: pk } } }));
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => expect.fail('The call succeeded'),
      (error: unknown) => error as PenstockError,
    );
  async function operations(): Promise<string[]> {
    const answer = await fetch(`${endpoint.url}/_requests?accountId=${ACCOUNT}`);
    const requests = (await answer.json()) as { operation: string; tableName: string | null }[];
    return requests.flatMap(({ operation, tableName }) =>
      tableName === `vanished-${made}` ? [operation] : [],
    );
  }

  it('is made again once for all calls that met it missing, TTL and all, and each is answered', async () => {
    const table = await open(true);
    await drop(table);
    const ids = Array.from({ length: 10 }, (_, i) => `item-${i}`);
    await Promise.all([...ids.map((id) => put(table, id)), get(table)]);
    expect((await operations()).filter((name) => name === 'CreateTable')).to.have.length(2);
    expect((await get(table)).Item).to.equal(undefined);
    for (const id of ids) {
      const command = new GetItemCommand({ TableName: table.tableName, Key: { pk: { S: id } } });
      expect((await table.client.send(command)).Item, id).to.deep.equal({ pk: { S: id } });
    }
    const ttl = await table.client.send(new DescribeTimeToLiveCommand({ TableName: table.tableName }));
    expect(ttl.TimeToLiveDescription?.AttributeName).to.equal('expiresAt');
    expect(table.problem()).to.equal(null);
    const told = lines.filter((line) => line.includes('what it held is lost'));
    expect(told).to.have.length(1);
    expect(told[0]).to.include(`vanished-${made}`).and.include('error');
  });

  it('is made again by one of several processes, each of which goes on', async () => {
    const both = [await open(true), await open(true)] as const;
    await drop(both[0]);
    await Promise.all(both.map((table) => put(table)));
    for (const table of both) expect((await get(table)).Item).to.deep.equal({ pk: { S: 'a' } });
  });

  it('is named, with what to do, where it may not be made, until it is there again', async () => {
    const maker = await open(true);
    const table = await open(false);
    await drop(table);
    for (const call of [get, put]) {
      const error = await failure(call(table));
      expect(error).to.be.instanceOf(PenstockError).with.property('code', 'UNAVAILABLE');
      expect(error.message).to.include(`vanished-${made}`).and.include('PENSTOCK_CREATE_TABLES=true');
      expect((error.cause as Error).name).to.equal('ResourceNotFoundException');
    }
    expect(table.problem()).to.include(`vanished-${made}`);
    expect(lines.filter((line) => line.includes('is missing'))).to.have.length(1);
    expect((await operations()).filter((name) => name === 'CreateTable')).to.have.length(1);
    await put(maker);
    expect((await get(table)).Item).to.deep.equal({ pk: { S: 'a' } });
    expect(table.problem()).to.equal(null);
  });

  it('is missed, and made again, by a process that nobody asks anything', async () => {
    const maker = await open(true);
    const table = await open(false, 50);
    await drop(maker);
    await until(() => table.problem() !== null);
    expect(table.problem()).to.include(`vanished-${made}`);
    await open(true, 50);
    await until(() => table.problem() === null);
    await drop(maker);
    await until(() => lines.some((line) => line.includes('what it held is lost')));
    await until(() => table.problem() === null);
  });

  it('says so where making it again is refused', async () => {
    const table = await open(true);
    const refusal = { accountId: ACCOUNT, operation: 'CreateTable', error: 'AccessDeniedException' };
    await setFaults([refusal]);
    await drop(table);
    const error = await failure(put(table));
    expect(error).to.have.property('code', 'UNAVAILABLE');
    expect(error.message).to.include(`vanished-${made}`).and.include('could not be made again');
    expect(lines.join('')).to.include('AccessDeniedException');
    await setFaults([]);
    await put(table);
    expect(table.problem()).to.equal(null);
  });

  it('is no matter to a call that fails otherwise', async () => {
    const table = await open(true);
    const rule = { accountId: ACCOUNT, operation: 'PutItem', error: 'ValidationException' };
    await setFaults([rule]);
    expect(await failure(put(table))).to.have.property('name', 'ValidationException');
    await setFaults([]);
    expect((await operations()).filter((name) => name === 'CreateTable')).to.have.length(1);
  });

  async function setFaults(rules: readonly object[]): Promise<void> {
    const answer = await fetch(`${endpoint.url}/_faults`, { method: 'PUT', body: JSON.stringify(rules) });
    expect(answer.ok, await answer.text()).to.equal(true);
  }
});
