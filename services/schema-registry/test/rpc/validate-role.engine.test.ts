import { PutRolePolicyCommand, UpdateAssumeRolePolicyCommand } from '@aws-sdk/client-iam';
import { expect } from 'chai';
import { createTable } from '../../../../deploy/local/src/seed/customer-account.ts';
import { refusal, resolutionError, SERVICE_ACCOUNT } from '../support/registry.ts';
import { accountsOf, useTestStack } from '../support/suite.ts';
import { schemaOf } from '../support/tables.ts';

describe('validating a role', () => {
  const stack = useTestStack();

  const accountWith = accountsOf(stack, 200_000_000_000);

  it('assumes the role and nothing more where there is no allowlist', async () => {
    const account = await accountWith([], { actions: ['GetItem'] });
    const calls = stack.as('v-none');
    await calls.create(schemaOf(account, 's'));
    expect(await calls.validate('S')).to.include({ ok: true, message: 'The role can be assumed' });
    expect(await stack.requests(account.accountId)).to.deep.equal([]);
  });

  it('lists the tables where the allowlist is *', async () => {
    const account = await accountWith(['one']);
    const calls = stack.as('v-star');
    await calls.create(schemaOf(account, 's', { tables: ['*'] }));
    expect(await calls.validate('s')).to.include({ ok: true });
    expect((await stack.requests(account.accountId)).map(({ operation }) => operation)).to.include(
      'ListTables',
    );
  });

  it('says that list-tables is missing', async () => {
    const account = await accountWith(['one'], { actions: ['DescribeTable', 'Scan'] });
    const calls = stack.as('v-nolist');
    await calls.create(schemaOf(account, 's', { tables: ['*'] }));
    const { ok, message } = await calls.validate('s');
    expect(ok).to.equal(false);
    expect(message).to.equal(
      'Listing tables, which the allowlist * needs: the role may not perform dynamodb:ListTables',
    );
  });

  it('describes and probes each table that the allowlist names', async () => {
    const account = await accountWith(['one', 'two']);
    const calls = stack.as('v-named');
    await calls.create(schemaOf(account, 's', { tables: ['one', 'two'] }));
    expect(await calls.validate('s')).to.include({
      ok: true,
      message: 'The role can be assumed and may read all 2 tables of the allowlist',
    });
    const asked = (await stack.requests(account.accountId)).filter(
      ({ operation }) => operation !== 'CreateTable',
    );
    for (const tableName of ['one', 'two']) {
      const operations = asked
        .filter((request) => request.tableName === tableName)
        .map(({ operation }) => operation);
      expect(operations).to.include.members(['DescribeTable', 'Scan']);
    }
  });

  it('tells missing tables, missing describe and missing scan apart', async () => {
    const account = await accountWith(['one'], { name: 'no-scan', actions: ['DescribeTable'] });
    await stack.role(account, { name: 'no-describe', actions: ['Scan'] });
    const calls = stack.as('v-actions');
    await calls.create(schemaOf(account, 'noScan', { roleName: 'no-scan', tables: ['one', 'gone'] }));
    await calls.create(schemaOf(account, 'noDescribe', { roleName: 'no-describe', tables: ['one'] }));
    expect((await calls.validate('noScan')).message).to.equal(
      'one: the role may not perform dynamodb:Scan; gone: there is no such table in eu-west-1',
    );
    expect((await calls.validate('noDescribe')).message).to.equal(
      'one: the role may not perform dynamodb:DescribeTable',
    );
  });

  it('names the KMS key that may not be used, and what a table’s status says', async () => {
    const account = await accountWith(['sealed', 'lost', 'old', 'going']);
    const calls = stack.as('v-status');
    await calls.create(schemaOf(account, 's', { tables: ['sealed', 'lost', 'old', 'going'] }));
    const { accountId } = account;
    await stack.faults([
      { accountId, tableName: 'sealed', operation: 'Scan', error: 'KMSKeyAccessDenied' },
      { accountId, tableName: 'lost', tableStatus: 'INACCESSIBLE_ENCRYPTION_CREDENTIALS' },
      { accountId, tableName: 'old', tableStatus: 'ARCHIVED' },
      { accountId, tableName: 'going', tableStatus: 'DELETING' },
    ]);
    try {
      const { ok, message } = await calls.validate('s');
      expect(ok).to.equal(false);
      const [sealedAndLost, old, going] = message.split('; ');
      expect(sealedAndLost).to.match(
        /^sealed, lost: the KMS key that encrypts it may not be used: .*kms:Decrypt/,
      );
      expect(old).to.equal('old: The table s.old is archived and cannot be read');
      expect(going).to.equal('going: The table s.going is being deleted');
      // A statement is told the same, and what to do.
      expect(await resolutionError(calls, { schema: 's', table: 'old' })).to.deep.include({
        code: 'EXECUTION_ERROR',
        message: 'The table s.old is archived and cannot be read',
      });
      const refused = await resolutionError(calls, { schema: 's', table: 'lost' });
      expect(refused.code).to.equal('ACCESS_DENIED');
      expect(refused.detail).to.match(/kms:Decrypt/);
    } finally {
      await stack.faults([]);
    }
  });

  it('reads the indexes that queries may read, and says which may not be', async () => {
    const account = stack.account('299999999999');
    const attributes = ['id', 'a', 'b', 'c'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    }));
    const global = (IndexName: string, names: readonly string[], sort: readonly string[] = []) => ({
      IndexName,
      KeySchema: [
        ...names.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' as const })),
        ...sort.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' as const })),
      ],
      Projection: { ProjectionType: 'ALL' as const },
    });
    await createTable(account, {
      TableName: 'indexed',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: attributes,
      GlobalSecondaryIndexes: [
        global('by-a', ['a']),
        global('by-b', ['b']),
        global('by-several', ['b', 'c'], ['a']),
      ],
    });
    const table = `arn:aws:dynamodb:eu-west-1:${account.accountId}:table/indexed`;
    await stack.role(account, { name: 'hand-written' });
    const allowing = (...Resource: string[]) =>
      account.iam.send(
        new PutRolePolicyCommand({
          RoleName: 'hand-written',
          PolicyName: 'penstock-read',
          PolicyDocument: JSON.stringify({
            Version: '2012-10-17',
            Statement: [{ Effect: 'Allow', Action: 'dynamodb:*', Resource }],
          }),
        }),
      );
    const calls = stack.as('v-indexes');
    await calls.create(schemaOf(account, 's', { roleName: 'hand-written', tables: ['indexed'] }));
    await allowing(table);
    const { ok, message } = await calls.validate('s');
    expect(ok).to.equal(false);
    expect(message).to.equal(
      "indexed: the role may not perform dynamodb:Query and dynamodb:Scan on its indexes by-a, by-b, by-several: allow them on the table's ARN followed by /index/*",
    );
    await allowing(table, `${table}/index/*`);
    expect(await calls.validate('s')).to.include({ ok: true });
  });

  it('lists four table failures at most, and says how many more there are', async () => {
    const account = await accountWith([]);
    const calls = stack.as('v-many');
    await calls.create(schemaOf(account, 's', { tables: ['aaa', 'bbb', 'ccc', 'ddd', 'eee', 'fff'] }));
    const { ok, message } = await calls.validate('s');
    expect(ok).to.equal(false);
    expect(message).to.equal('aaa, bbb, ccc, ddd and 2 more: there is no such table in eu-west-1');
  });

  it('says what to check where the role cannot be assumed, and names no role but the schema’s own', async () => {
    const account = await accountWith([]);
    const calls = stack.as('v-assume');
    await calls.create(schemaOf(account, 'wrong', { externalId: 'wrong-id' }));
    await calls.create(schemaOf(account, 'none', { roleName: 'nobody' }));
    for (const [name, role] of [
      ['wrong', 'penstock-read'],
      ['none', 'nobody'],
    ] as const) {
      const { ok, message } = await calls.validate(name);
      const arn = `arn:aws:iam::${account.accountId}:role/${role}`;
      expect(ok).to.equal(false);
      expect(message).to.equal(
        `The role ${arn} could not be assumed: check that the role exists, that its trust policy trusts the service ` +
          'and requires this external ID',
      );
    }
  });

  async function trust(account: Awaited<ReturnType<typeof accountWith>>, condition: object) {
    const statement = {
      Effect: 'Allow',
      Principal: { AWS: `arn:aws:iam::${SERVICE_ACCOUNT}:root` },
      Action: 'sts:AssumeRole',
      ...condition,
    };
    await account.iam.send(
      new UpdateAssumeRolePolicyCommand({
        RoleName: 'penstock-read',
        PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [statement] }),
      }),
    );
  }

  it('refuses a role that can be assumed without the external ID, and says how to close it', async () => {
    const account = await accountWith(['one']);
    const calls = stack.as('v-open');
    await calls.create(schemaOf(account, 's', { tables: ['one'] }));
    await trust(account, {});
    const { ok, message } = await calls.validate('s');
    expect(ok).to.equal(false);
    expect(message).to.match(/^The role can be assumed without an external ID, .*"sts:ExternalId"/);
  });

  it('refuses a role that takes any external ID', async () => {
    const account = await accountWith(['one']);
    const calls = stack.as('v-any');
    await calls.create(schemaOf(account, 's', { tables: ['one', 'gone'] }));
    await trust(account, { Condition: { StringLike: { 'sts:ExternalId': '*' } } });
    const { ok, message } = await calls.validate('s');
    expect(ok).to.equal(false);
    expect(message).to.match(
      /^The role can be assumed with any external ID, .*\. gone: there is no such table/,
    );
  });

  it('sees the trust policy as it is now, whatever is cached', async () => {
    const account = await accountWith(['one']);
    const calls = stack.as('v-now');
    await calls.create(schemaOf(account, 's', { tables: ['one'] }));
    await calls.refresh('s');
    expect((await calls.validate('s')).ok).to.equal(true);
    const refusing = { Effect: 'Deny', Principal: { AWS: '*' }, Action: 'sts:AssumeRole' };
    const nobody = { Version: '2012-10-17', Statement: [refusing] };
    await account.iam.send(
      new UpdateAssumeRolePolicyCommand({
        RoleName: 'penstock-read',
        PolicyDocument: JSON.stringify(nobody),
      }),
    );
    expect((await calls.validate('s')).ok).to.equal(false);
  });

  it('says so once where DynamoDB cannot be reached in the region', async function () {
    this.timeout(90_000);
    const account = await accountWith(['one', 'two']);
    const calls = stack.as('v-region');
    await calls.create(schemaOf(account, 's', { tables: ['one', 'two'] }));
    await stack.faults([
      { accountId: account.accountId, operation: 'DescribeTable', error: 'InternalServerError' },
    ]);
    const { ok, message } = await calls.validate('s');
    await stack.faults([]);
    expect(ok).to.equal(false);
    expect(message).to.equal(
      'DynamoDB could not be reached in region eu-west-1: check the region, or try again',
    );
  });

  it('refuses a name that no schema can have', async () => {
    expect((await refusal(stack.as('v-bad').validate('no such'))).code).to.equal('VALIDATION_ERROR');
  });
});
