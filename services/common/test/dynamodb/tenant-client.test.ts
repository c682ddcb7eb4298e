import { DescribeTableCommand, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { pino } from 'pino';
import { createRoleSessions, type RoleSessions } from '../../src/aws/assumed-role.ts';
import { classifyDynamoError, toPenstockError } from '../../src/dynamodb/errors.ts';
import { sendRaw } from '../../src/dynamodb/raw-reads.ts';
import { createTenantClients, type TenantClients } from '../../src/dynamodb/tenant-client.ts';
import { dynamoError, startFakeAws, stsError, type FakeAws } from '../aws/fake-aws.ts';

const access = {
  roleArn: 'arn:aws:iam::111122223333:role/reader',
  externalId: 'ext-1',
  region: 'eu-west-1',
  tableAllowlist: [],
};
const table = { schemaName: 'shop', tableName: 'orders' };

describe('tenant clients', () => {
  let aws: FakeAws;
  let sessions: RoleSessions;
  let clients: TenantClients;
  let nowMs: number;

  beforeEach(async () => {
    aws = await startFakeAws();
    const logger = pino({ enabled: false });
    nowMs = Date.now();
    sessions = createRoleSessions({
      stsEndpoint: aws.endpoint,
      region: 'us-east-1',
      logger,
      clock: { now: () => nowMs },
      credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
    });
    clients = createTenantClients({ endpoint: aws.endpoint, sessions });
  });
  afterEach(async () => {
    clients.close();
    sessions.close();
    await aws.close();
  });

  const scan = new ScanCommand({ TableName: 'orders' });
  /** Of `20260102T030405Z`, milliseconds. */
  const timeOf = (date: string): number =>
    Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('hands out the body of a read byte for byte', async () => {
    const body = '{ "Items" : [{"a":{"N":"12345678901234567890.50"}}], "Unknown":[1.50] }';
    aws.onDynamo = () => ({ status: 200, body });
    const client = await clients.clientFor('t1', access, 'r1');
    expect((await sendRaw(client, scan)).toString()).to.equal(body);
    expect(
      (await sendRaw(client, new GetItemCommand({ TableName: 'orders', Key: { a: { S: 'x' } } }))).toString(),
    ).to.equal(body);
    expect(aws.calls.map(({ target, accessKeyId }) => `${target} ${accessKeyId}`)).to.deep.equal([
      'Scan ASIA1',
      'GetItem ASIA1',
    ]);
  });

  it('leaves other calls to the SDK', async () => {
    aws.onDynamo = () => ({ status: 200, body: '{"Table":{"TableName":"orders"}}' });
    const client = await clients.clientFor('t1', access, 'r1');
    const answer = await client.send(new DescribeTableCommand({ TableName: 'orders' }));
    expect(answer.Table?.TableName).to.equal('orders');
  });

  it('keeps one client for a tenant and access, and one assumed role', async () => {
    const first = await clients.clientFor('t1', access, 'r1');
    expect(await clients.clientFor('t1', { ...access }, 'r2')).to.equal(first);
    expect(await clients.clientFor('t2', access, 'r3')).to.not.equal(first);
    await sendRaw(first, scan);
    expect(aws.assumed).to.have.length(2);
  });

  it('assumes the role anew and repeats the call once when DynamoDB calls the credentials expired', async () => {
    aws.onDynamo = ({ accessKeyId }) =>
      accessKeyId === 'ASIA1'
        ? dynamoError(400, 'ExpiredTokenException', 'The security token included in the request is expired')
        : { status: 200, body: '{"Count":0}' };
    const client = await clients.clientFor('t1', access, 'r1');
    expect((await sendRaw(client, scan)).toString()).to.equal('{"Count":0}');
    expect(aws.assumed).to.have.length(2);
    aws.onDynamo = () => dynamoError(400, 'ExpiredTokenException', 'expired');
    const error = toPenstockError(await thrownBy(sendRaw(client, scan)), table);
    expect(error.code).to.equal('ACCESS_DENIED');
    expect(aws.assumed).to.have.length(3);
  });

  const denied = dynamoError(400, 'AccessDeniedException', 'User: x is not authorized: explicit deny');

  it('assumes the role anew, once for all callers, where the session may have been revoked', async () => {
    aws.onDynamo = ({ accessKeyId }) =>
      accessKeyId === 'ASIA1' ? denied : { status: 200, body: '{"Count":0}' };
    const client = await clients.clientFor('t1', access, 'r1');
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendRaw(client, scan)));
    expect(new Set(answers.map(String))).to.deep.equal(new Set(['{"Count":0}']));
    expect(aws.assumed).to.have.length(2);
    expect(aws.calls).to.have.length(16);
  });

  it('shares one new session among callers whose credentials have ended', async () => {
    aws.onDynamo = ({ accessKeyId }) =>
      accessKeyId === 'ASIA1'
        ? dynamoError(400, 'ExpiredTokenException', 'expired')
        : { status: 200, body: '{"Count":0}' };
    const client = await clients.clientFor('t1', access, 'r1');
    await Promise.all(Array.from({ length: 8 }, () => sendRaw(client, scan)));
    expect(aws.assumed).to.have.length(2);
  });

  it('does not assume a role that is denied again and again more than once a minute', async () => {
    aws.onDynamo = () => denied;
    const client = await clients.clientFor('t1', access, 'r1');
    const refused = async () => toPenstockError(await thrownBy(sendRaw(client, scan)), table).code;
    for (let i = 0; i < 5; i++) expect(await refused()).to.equal('ACCESS_DENIED');
    expect([aws.assumed.length, aws.calls.length]).to.deep.equal([2, 6]);
    nowMs += 61_000;
    expect(await refused()).to.equal('ACCESS_DENIED');
    expect([aws.assumed.length, aws.calls.length]).to.deep.equal([3, 8]);
  });

  it('keeps the session at hand where the role cannot be assumed anew', async () => {
    const client = await clients.clientFor('t1', access, 'r1');
    aws.onAssume = () => stsError(403, 'AccessDenied', 'no');
    aws.onDynamo = (_call, count) => (count === 1 ? denied : { status: 200, body: '{"Count":0}' });
    expect(toPenstockError(await thrownBy(sendRaw(client, scan)), table).code).to.equal('ACCESS_DENIED');
    expect((await sendRaw(client, scan)).toString()).to.equal('{"Count":0}');
    expect(aws.calls.map(({ accessKeyId }) => accessKeyId)).to.deep.equal(['ASIA1', 'ASIA1']);
  });

  const KMS_TEXTS = [
    [
      'AccessDeniedException',
      'KMS key access denied error: com.amazonaws.services.kms.model.AWSKMSException: The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are not allowed to access. (Service: AWSKMS; Status Code: 400; Error Code: AccessDeniedException; Request ID: 1; Proxy: null)',
    ],
    [
      'AccessDeniedException',
      'User: arn:aws:sts::111122223333:assumed-role/reader/x is not authorized to perform: kms:Decrypt on resource: arn:aws:kms:eu-west-1:111122223333:key/1 because no identity-based policy allows the kms:Decrypt action',
    ],
    ['AWSKMSException', 'The key is disabled'],
    ['KMSDisabledException', 'arn:aws:kms:eu-west-1:111122223333:key/1 is disabled.'],
    ['KMSInvalidStateException', 'pending deletion'],
    ['KMSAccessDeniedException', 'no'],
    ['KMSNotFoundException', 'no'],
  ] as const;
  for (const [name, text] of KMS_TEXTS)
    it(`names the key and kms:Decrypt where ${name} says “${text.slice(0, 30)}…”`, async () => {
      aws.onDynamo = () => dynamoError(400, name, text);
      const client = await clients.clientFor('t1', access, 'r1');
      const error = toPenstockError(await thrownBy(sendRaw(client, scan)), table);
      expect(error.code).to.equal('ACCESS_DENIED');
      expect(error.message).to.equal('Access denied: the KMS key that encrypts shop.orders may not be used');
      expect(error.detail)
        .to.match(/kms:Decrypt/)
        .and.match(/enabled/);
      expect(`${error.message} ${error.detail}`).to.not.match(/arn:|\d{12}/);
      // A new session may do no more with the key.
      expect(aws.assumed).to.have.length(1);
    });

  it('repeats a call that a 5xx ended', async () => {
    aws.onDynamo = (_call, count) =>
      count === 1 ? dynamoError(500, 'InternalServerError', 'oops') : { status: 200, body: '{}' };
    const client = await clients.clientFor('t1', access, 'r1');
    expect((await sendRaw(client, scan)).toString()).to.equal('{}');
    expect(aws.calls).to.have.length(2);
  });

  it('signs by the time of AWS where this clock is off', async () => {
    const offMs = 3_600_000;
    const dates: string[] = [];
    aws.onDynamo = ({ date }) => {
      dates.push(date);
      const isRight = Math.abs(timeOf(date) - (Date.now() + offMs)) < 60_000;
      return {
        ...(isRight
          ? { status: 200, body: '{}' }
          : dynamoError(400, 'InvalidSignatureException', 'Signature expired')),
        headers: { date: new Date(Date.now() + offMs).toUTCString() },
      };
    };
    const client = await clients.clientFor('t1', access, 'r1');
    for (let i = 0; i < 2; i++) expect((await sendRaw(client, scan)).toString()).to.equal('{}');
    // The first told the time.
    expect(dates).to.have.length(3);
    aws.onDynamo = () => dynamoError(400, 'InvalidSignatureException', 'of another reason');
    expect(classifyDynamoError(await thrownBy(sendRaw(client, scan))).kind).to.equal('other');
  });

  it('sends nothing on abort', async () => {
    const client = await clients.clientFor('t1', access, 'r1');
    const sent = thrownBy(sendRaw(client, scan, AbortSignal.abort()));
    expect(classifyDynamoError(await sent)).to.deep.equal({ kind: 'aborted' });
    expect(aws.calls.filter(({ target }) => target.includes('Scan'))).to.deep.equal([]);
  });

  it('names the missing action, and no ARN', async () => {
    aws.onDynamo = () =>
      dynamoError(
        400,
        'AccessDeniedException',
        'User: arn:aws:sts::111122223333:assumed-role/reader/x is not authorized to perform: dynamodb:Scan on ' +
          'resource: arn:aws:dynamodb:eu-west-1:111122223333:table/orders because no identity-based policy allows it',
      );
    const client = await clients.clientFor('t1', access, 'r1');
    const thrown = await thrownBy(sendRaw(client, scan));
    expect(classifyDynamoError(thrown)).to.deep.equal({ kind: 'access-denied', action: 'dynamodb:Scan' });
    const error = toPenstockError(thrown, table);
    expect(error.code).to.equal('ACCESS_DENIED');
    expect(error.message).to.equal('Access denied: the role may not perform dynamodb:Scan on shop.orders');
    expect(`${error.message} ${error.detail}`).to.not.match(/arn:|\d{12}/);
  });

  it('tells the other failures apart', async () => {
    const client = await clients.clientFor('t1', access, 'r1');
    const expected: [number, string, string, string][] = [
      [400, 'ResourceNotFoundException', 'table-not-found', 'TABLE_NOT_FOUND'],
      [400, 'ProvisionedThroughputExceededException', 'throttled', 'THROTTLED'],
      [400, 'RequestLimitExceeded', 'throttled', 'THROTTLED'],
      [400, 'ValidationException', 'validation', 'INTERNAL'],
      [503, 'ServiceUnavailable', 'unavailable', 'UNAVAILABLE'],
      [400, 'SomethingNew', 'other', 'INTERNAL'],
    ];
    for (const [status, name, kind, code] of expected) {
      aws.onDynamo = () => dynamoError(status, name, 'text with arn:aws:x');
      const thrown = await thrownBy(sendRaw(client, scan));
      expect(classifyDynamoError(thrown).kind, name).to.equal(kind);
      expect(toPenstockError(thrown, table).code, name).to.equal(code);
      expect(toPenstockError(thrown, table).message, name).to.not.include('arn:');
    }
  });

  it('leaves a throttled call to its caller at once, and repeats none', async () => {
    const client = await clients.clientFor('t1', access, 'r1');
    let calls = 0;
    aws.onDynamo = () => {
      calls += 1;
      return dynamoError(400, 'ThrottlingException', 'slow down');
    };
    expect(classifyDynamoError(await thrownBy(sendRaw(client, scan))).kind).to.equal('throttled');
    expect(calls).to.equal(1);
  });

  it('calls an endpoint that is away unavailable', async () => {
    const client = await clients.clientFor('t1', access, 'r1');
    await aws.close();
    expect(toPenstockError(await thrownBy(sendRaw(client, scan)), table).code).to.equal('UNAVAILABLE');
    aws = await startFakeAws();
  });
});
