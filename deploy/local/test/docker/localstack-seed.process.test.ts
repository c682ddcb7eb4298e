import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DescribeTableCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { rejection, startLocalAws, type LocalAws } from '../aws/support/local-aws.ts';
import { composeConfig } from './support/compose.ts';
import { seedAsLocalStack } from './support/seed.ts';

const ACCOUNT = '111122223333';
/** Every kind of character that STS takes (https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html). */
const EXTERNAL_ID = 'a/b=c+d,e.f@g:h-i_j';
const PENSTOCK_ACCOUNT = '000000000000';

describe('LocalStack’s ready hook', () => {
  let aws: LocalAws;
  before(async () => {
    aws = await startLocalAws();
  });
  after(() => aws.remove());

  const seed = () => seedAsLocalStack({ endpoint: aws.url, account: ACCOUNT, externalId: EXTERNAL_ID });

  it('makes tables with items, and a role that Penstock’s account may assume under the external ID only', async () => {
    expect(await seed()).to.contain('Seeded account 111122223333');
    const owner = aws.dynamo(ACCOUNT);
    expect((await owner.send(new ScanCommand({ TableName: 'customers' }))).Count).to.equal(8);
    expect((await owner.send(new ScanCommand({ TableName: 'orders' }))).Count).to.equal(24);
    const sts = aws.sts({ accessKeyId: PENSTOCK_ACCOUNT, secretAccessKey: 'test' });
    const RoleArn = `arn:aws:iam::${ACCOUNT}:role/penstock-access`;
    const { AssumeRoleCommand } = await import('@aws-sdk/client-sts');
    const assume = (ExternalId: string) =>
      sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'test', ExternalId }));
    expect((await rejection(assume('another-one'))).name).to.equal('AccessDenied');
    const { Credentials } = await assume(EXTERNAL_ID);
    const reader = aws.dynamo(ACCOUNT, {
      credentials: {
        accessKeyId: Credentials?.AccessKeyId ?? '',
        secretAccessKey: Credentials?.SecretAccessKey ?? '',
        sessionToken: Credentials?.SessionToken ?? '',
      },
    });
    await reader.send(new DescribeTableCommand({ TableName: 'orders' }));
    const { Count } = await reader.send(
      new QueryCommand({
        TableName: 'customers',
        IndexName: 'by_city',
        KeyConditionExpression: 'city = :c',
        ExpressionAttributeValues: { ':c': { S: 'Graz' } },
      }),
    );
    expect(Count).to.equal(2);
  });

  it('may run again', async () => {
    expect(await seed()).to.contain('Seeded account 111122223333');
  });

  it('fails, and says why, where it cannot seed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-no-seed-'));
    const script = join(import.meta.dirname, '../../../localstack/ready.d/10-customer-account.sh');
    const env = { ...process.env, SEED_ACCOUNT: ACCOUNT, SEED_EXTERNAL_ID: EXTERNAL_ID, SEED_DIR: folder };
    const failure = await rejection(promisify(execFile)('bash', [script], { env }));
    await rm(folder, { recursive: true });
    expect(failure.message).to.contain('customers.table.json');
  });
});

describe('LocalStack’s health check', () => {
  const stages = (completed: boolean, ...states: readonly string[]) => ({
    completed,
    scripts: states.map((state, i) => ({ stage: 'READY', name: `${i}.sh`, state })),
  });
  let check: readonly string[];
  let bin: string;
  before(async () => {
    const { services } = await composeConfig(['docker-compose.yml']);
    [, ...check] = services['localstack']?.healthcheck?.test ?? [];
    bin = await mkdtemp(join(tmpdir(), 'penstock-curl-'));
    await writeFile(join(bin, 'curl'), '#!/bin/sh\n[ -n "$ANSWER" ] || exit 7\necho "$ANSWER"\n', {
      mode: 0o755,
    });
  });
  after(() => rm(bin, { recursive: true }));

  /** By an answer of LocalStack's, which is Python's JSON, with spaces after colons; null: it does not answer. */
  const isHealthy = async (answer: object | null): Promise<boolean> => {
    const [program = '', ...args] = check;
    const ANSWER = answer === null ? '' : JSON.stringify(answer).replaceAll('":', '": ');
    const env = { PATH: `${bin}:${process.env['PATH']}`, ANSWER };
    return promisify(execFile)(program, args, { env }).then(
      () => true,
      () => false,
    );
  };

  it('passes once every script of the ready hooks has succeeded', async () => {
    expect(await isHealthy(stages(true, 'SUCCESSFUL'))).to.equal(true);
    expect(await isHealthy(stages(true, 'SUCCESSFUL', 'SUCCESSFUL'))).to.equal(true);
  });

  it('fails before that, after a script that failed, and where none was found', async () => {
    for (const answer of [
      null,
      stages(false, 'RUNNING'),
      stages(false, 'SUCCESSFUL', 'RUNNING'),
      stages(true, 'ERROR'),
      stages(true, 'SUCCESSFUL', 'ERROR'),
      stages(true, 'ERROR', 'SUCCESSFUL'),
      stages(true, 'UNKNOWN'),
      stages(true),
    ])
      expect(await isHealthy(answer), JSON.stringify(answer)).to.equal(false);
  });
});
