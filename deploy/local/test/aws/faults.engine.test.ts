import { GetItemCommand, ScanCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { until } from '../../../../services/common/test/support/until.ts';
import {
  allow,
  createAccessRole,
  createOrders,
  CUSTOMER_ACCOUNT,
  rejection,
  startLocalAws,
  type LocalAws,
} from './support/local-aws.ts';

describe('Faults on demand', () => {
  let aws: LocalAws;
  let client: DynamoDBClient;
  const draws: number[] = [];
  before(async () => {
    aws = await startLocalAws({ random: () => draws.shift() ?? 0 });
    client = aws.dynamo(CUSTOMER_ACCOUNT);
    await createOrders(client);
    await createAccessRole(aws, allow(['dynamodb:*']));
  });
  afterEach(() => aws.setFaults([]));
  after(() => aws.remove());

  const scan = () => client.send(new ScanCommand({ TableName: 'orders' }));
  const get = () =>
    client.send(new GetItemCommand({ TableName: 'orders', Key: { pk: { S: 'a' }, sk: { N: '1' } } }));
  const outcome = (sent: Promise<unknown>) =>
    sent.then(
      () => 'ok',
      (error: Error) => error.name,
    );
  const rule = { accountId: CUSTOMER_ACCOUNT };

  it('fails as many requests as counted, then no more', async () => {
    await aws.setFaults([{ ...rule, error: 'ProvisionedThroughputExceededException', count: 2 }]);
    expect([await outcome(scan()), await outcome(get()), await outcome(scan())]).to.deep.equal([
      'ProvisionedThroughputExceededException',
      'ProvisionedThroughputExceededException',
      'ok',
    ]);
  });

  it('meets only the account, table and operation that are named', async () => {
    await aws.setFaults([
      { accountId: '444455556666', error: 'ThrottlingException' },
      { ...rule, tableName: 'other', error: 'ThrottlingException' },
      { ...rule, tableName: 'orders', operation: 'GetItem', error: 'ThrottlingException' },
    ]);
    expect([await outcome(scan()), await outcome(get())]).to.deep.equal(['ok', 'ThrottlingException']);
  });

  it('fails the given share of requests', async () => {
    await aws.setFaults([{ ...rule, error: 'ThrottlingException', probability: 0.25 }]);
    draws.push(0.1, 0.25, 0.9, 0.24);
    const outcomes = [];
    for (let sent = 0; sent < 4; sent += 1) outcomes.push(await outcome(scan()));
    expect(outcomes).to.deep.equal(['ThrottlingException', 'ok', 'ok', 'ThrottlingException']);
  });

  it('delays requests, alone and before an error', async () => {
    await aws.setFaults([
      { ...rule, latencyMs: 60 },
      { ...rule, operation: 'GetItem', error: 'InternalServerError', latencyMs: 60 },
    ]);
    const started = performance.now();
    expect(await outcome(scan())).to.equal('ok');
    const scanned = performance.now();
    expect(scanned - started).to.be.greaterThan(55);
    expect(await outcome(get())).to.equal('InternalServerError');
    expect(performance.now() - scanned).to.be.greaterThan(115);
  });

  it('stops waiting when the caller hangs up', async () => {
    await aws.setFaults([{ ...rule, latencyMs: 200_000 }]);
    const sent = client.send(new ScanCommand({ TableName: 'orders' }), {
      abortSignal: AbortSignal.timeout(30),
    });
    expect((await rejection(sent)).name).to.equal('AbortError');
    await aws.setFaults([]);
    expect(await outcome(scan())).to.equal('ok');
  });

  it('holds requests until the rules are replaced, and says by its count how many have come', async () => {
    await aws.setFaults([
      { ...rule, held: true, count: 2 },
      { ...rule, operation: 'GetItem', error: 'InternalServerError' },
    ]);
    const held = [scan(), get()].map(outcome);
    const left = async (): Promise<unknown> => {
      const answer = await fetch(`${aws.url}/_faults`);
      return ((await answer.json()) as { count?: number }[])[0]?.count;
    };
    await until(async () => (await left()) === 0);
    expect(await outcome(scan())).to.equal('ok');
    expect(await Promise.race([...held, Promise.resolve('none')])).to.equal('none');
    await aws.setFaults([]);
    expect(await Promise.all(held)).to.deep.equal(['ok', 'InternalServerError']);
  });

  it('answers with the status of the error', async () => {
    for (const [error, status] of [
      ['InternalServerError', 500],
      ['ServiceUnavailable', 503],
      ['AccessDeniedException', 400],
    ] as const) {
      await aws.setFaults([{ ...rule, error }]);
      expect(await rejection(scan())).to.have.nested.property('$metadata.httpStatusCode', status);
    }
  });

  it('lets the retries of the SDK get through', async () => {
    await aws.setFaults([{ ...rule, error: 'ThrottlingException', count: 2 }]);
    const patient = aws.dynamo(CUSTOMER_ACCOUNT, { maxAttempts: 4 });
    const { $metadata } = await patient.send(new ScanCommand({ TableName: 'orders' }));
    expect($metadata.attempts).to.equal(3);
  });

  it('meets AssumeRole by the account of its role, only when that is asked', async () => {
    await aws.setFaults([{ ...rule, error: 'InternalServerError' }]);
    expect((await aws.assume()).accessKeyId).to.match(/^ASIA/);
    await aws.setFaults([{ ...rule, operation: 'AssumeRole', error: 'ThrottlingException', count: 1 }]);
    expect(await outcome(aws.assume())).to.equal('Throttling');
    expect((await aws.assume()).accessKeyId).to.match(/^ASIA/);
  });

  it('replaces the list, shows it, and refuses a list with a mistake', async () => {
    await aws.setFaults([{ ...rule, error: 'ThrottlingException', count: 3 }]);
    for (const wrong of [
      {},
      [{ error: 'X' }],
      [rule],
      [{ ...rule, error: 'X', probability: 2 }],
      [{ ...rule, error: 'X', latency: 5 }],
    ]) {
      const response = await aws.setFaults(wrong);
      expect(response.status, JSON.stringify(wrong)).to.equal(400);
      expect(await response.json()).to.have.property('error');
    }
    await outcome(scan());
    const shown: unknown = await (await fetch(`${aws.url}/_faults`)).json();
    expect(shown).to.deep.equal([{ ...rule, error: 'ThrottlingException', count: 2 }]);
  });
});
