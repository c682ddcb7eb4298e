import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DescribeTableCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { rejection, startLocalAws, type LocalAws } from '../aws/support/local-aws.ts';
import { seedAsLocalStack } from './support/seed.ts';

const ACCOUNT = '111122223333';
const EXTERNAL_ID = '2f9f4a54-0c4e-4a3c-9a5e-6d2f1b1c7e10';
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
