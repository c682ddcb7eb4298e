import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import { expect } from 'chai';
import { createRoleSessions, type RoleSessions } from '../../src/aws/assumed-role.ts';
import { sendRaw } from '../../src/dynamodb/raw-reads.ts';
import { createTenantClients, type TenantClients } from '../../src/dynamodb/tenant-client.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';
import { beginTrace } from '../../src/telemetry/spans.ts';
import { dynamoError, startFakeAws, type FakeAws } from '../aws/fake-aws.ts';
import { rejection } from '../rpc/harness.ts';
import { record, type Recording } from './recording.ts';

const access = {
  roleArn: 'arn:aws:iam::111122223333:role/reader',
  externalId: 'ext-1',
  region: 'eu-west-1',
  tableAllowlist: [],
};
const logger = createLogger({ service: 't', level: 'silent' });

describe('calls to AWS', () => {
  let aws: FakeAws;
  let metrics: Metrics;
  let sessions: RoleSessions;
  let clients: TenantClients;
  let recording: Recording;
  beforeEach(async () => {
    aws = await startFakeAws();
    metrics = createMetrics('t');
    const credentials = { accessKeyId: 'AKIA', secretAccessKey: 'secret' };
    sessions = createRoleSessions({
      stsEndpoint: aws.endpoint,
      region: 'us-east-1',
      logger,
      metrics,
      credentials,
    });
    clients = createTenantClients({ endpoint: aws.endpoint, sessions, metrics });
    recording = record();
  });
  afterEach(async () => {
    recording.stop();
    clients.close();
    sessions.close();
    await aws.close();
  });

  const read = async (): Promise<unknown> => {
    const client = await clients.clientFor('t1', access, 'r1');
    return sendRaw(client, new GetItemCommand({ TableName: 'orders', Key: { id: { S: 'the-secret-key' } } }));
  };
  const counts = async (): Promise<readonly string[]> =>
    (await metrics.registry.metrics())
      .split('\n')
      .flatMap(
        (line) =>
          /^penstock_aws_call_duration_seconds_count\{(.*)\} (\d+)$/.exec(line)?.slice(1).join(' ') ?? [],
      )
      .map((line) => line.replace('service="t",', ''));

  it('are measured by operation and outcome', async () => {
    await read();
    aws.onDynamo = () => dynamoError(400, 'ThrottlingException', 'slow down');
    await rejection(read());
    aws.onDynamo = () => dynamoError(400, 'AccessDeniedException', 'no');
    await rejection(read());
    // After a denial the role is assumed anew, once: its session may have been revoked.
    expect(await counts()).to.have.members([
      'api="STS",operation="GetCallerIdentity",plane="tenant",outcome="ok" 1',
      'api="STS",operation="AssumeRole",plane="tenant",outcome="ok" 2',
      'api="DynamoDB",operation="GetItem",plane="tenant",outcome="ok" 1',
      'api="DynamoDB",operation="GetItem",plane="tenant",outcome="throttled" 1',
      'api="DynamoDB",operation="GetItem",plane="tenant",outcome="access-denied" 2',
    ]);
  });

  it('count each attempt of the SDK', async () => {
    let tries = 0;
    aws.onDynamo = () =>
      (tries += 1) === 1 ? dynamoError(500, 'InternalServerError', 'x') : { status: 200, body: '{}' };
    await read();
    expect(await counts()).to.include.members([
      'api="DynamoDB",operation="GetItem",plane="tenant",outcome="unavailable" 1',
      'api="DynamoDB",operation="GetItem",plane="tenant",outcome="ok" 1',
    ]);
  });

  it('are spans of the request that makes them, with names and no values', async () => {
    const root = beginTrace('root', {}, ROOT_CONTEXT)!;
    aws.onDynamo = () => ({ status: 200, body: '{}', headers: { 'x-amzn-requestid': 'REQ-1' } });
    await root.run(read);
    root.end();
    const get = recording.named('DynamoDB.GetItem');
    expect(get.parentSpanContext?.spanId).to.equal(recording.named('root').spanContext().spanId);
    expect(get.attributes).to.deep.equal({
      'db.system.name': 'aws.dynamodb',
      'db.operation.name': 'GetItem',
      'aws.dynamodb.table_names': ['orders'],
      'aws.request_id': 'REQ-1',
      'http.response.status_code': 200,
    });
    expect(recording.named('STS.AssumeRole').attributes).to.include({ 'db.operation.name': 'AssumeRole' });
    const told = JSON.stringify(recording.spans().map(({ name, attributes }) => ({ name, attributes })));
    expect(told).not.to.match(/arn:|111122223333|ext-1|the-secret-key/);
  });
});
