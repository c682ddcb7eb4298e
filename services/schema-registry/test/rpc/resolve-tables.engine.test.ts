import { DeleteTableCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { AttributeType, Projection } from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import {
  createTable,
  customerAccount,
  putItems,
  type CustomerAccount,
} from '../../../../deploy/local/src/seed/customer-account.ts';
import {
  refusal,
  resolutionError,
  resolvedTable,
  resolveOne,
  SERVICE_ACCOUNT,
  startTestStack,
  type TestStack,
} from '../support/registry.ts';
import { OUTDATED_AGAIN_MS } from '../../src/limits.ts';
import { schemaOf, simpleTable } from '../support/tables.ts';

type Tail<F> = F extends (first: never, ...rest: infer Rest) => unknown ? Rest : never;

const ACCOUNT = '111111111111';

describe('resolving tables', () => {
  let stack: TestStack;
  let account: CustomerAccount;
  let roles = 0;

  /** A schema of the shared account with a role that no other test's tenant uses: the first would claim it. */
  async function ownSchemaOf(...[schemaName, more = {}]: Tail<typeof schemaOf>) {
    const roleName = `penstock-read-${++roles}`;
    await stack.role(account, { name: roleName });
    return schemaOf(account, schemaName, { roleName, ...more });
  }

  before(async function () {
    this.timeout(60_000);
    stack = await startTestStack();
    account = stack.account(ACCOUNT);
    await stack.role(account);
    await createTable(account, {
      TableName: 'orders',
      KeySchema: [
        { AttributeName: 'customer', KeyType: 'HASH' },
        { AttributeName: 'number', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'customer', AttributeType: 'S' },
        { AttributeName: 'number', AttributeType: 'N' },
        { AttributeName: 'day', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-day',
          KeySchema: [{ AttributeName: 'day', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['total'] },
        },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'of-day',
          KeySchema: [
            { AttributeName: 'customer', KeyType: 'HASH' },
            { AttributeName: 'day', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    });
    await putItems(
      account,
      'orders',
      Array.from({ length: 40 }, (_, i) => ({
        customer: { S: `c${i % 8}` },
        number: { N: String(i) },
        total: { N: `${i * 1000}.${i % 4 === 0 ? '125' : '5'}` },
        ...(i % 2 === 0 ? { note: { S: 'x' } } : { note: { N: '1' } }),
        address: { M: { city: { S: 'Bern' }, geo: { M: { at: { M: { lat: { N: '46.9' } } } } } } },
      })),
    );
    await simpleTable(account, 'Mixed', [{ id: { S: '1' } }]);
    await simpleTable(account, 'secret', [{ id: { S: '1' } }]);
  });
  after(() => stack.close());

  it('describes a table again that an older release stored, before it is used', async function () {
    this.timeout(90_000);
    const calls = stack.as('t-older');
    await calls.create(schemaOf(account, 'shop'));
    const before = await resolvedTable(calls, { schema: 'shop', table: 'orders' });
    const control = customerAccount({
      accountId: SERVICE_ACCOUNT,
      region: 'us-east-1',
      endpoint: stack.endpoint,
    });
    const TableName = 'penstock-schemas';
    const { Items = [] } = await control.dynamodb.send(new ScanCommand({ TableName }));
    const [stored] = Items.filter(({ pk, sk }) => pk?.S?.includes('t-older') && sk?.S === 'table#orders');
    if (stored === undefined) throw new Error('nothing is stored of the table');
    const { format: _format, ...older } = stored;
    await control.dynamodb.send(new PutItemCommand({ TableName, Item: older }));
    const listed = await calls.tables({ schemaName: 'shop', limit: 10 });
    expect(listed.tables[0]?.metadata?.indexes.map(({ name }) => name)).to.deep.equal(['of-day']);
    const again = await resolvedTable(calls, { schema: 'shop', table: 'orders' }, false);
    expect(again.metadata.indexes.map(({ name }) => name)).to.deep.equal(['by-day', 'of-day']);
    expect(again.metadata.sampledItems).to.equal(before.metadata.sampledItems);
    control.close();
  });

  it('describes a table again that a reader found otherwise, once', async function () {
    this.timeout(90_000);
    const calls = stack.as('t-anew');
    await calls.create(await ownSchemaOf('shop'));
    await simpleTable(account, 'anew', [{ id: { S: '1' } }]);
    const asked = { schema: 'shop', table: 'anew' };
    const { version, metadata } = await resolvedTable(calls, asked);
    expect(metadata.key?.partitionKey?.name).to.equal('id');
    await account.dynamodb.send(new DeleteTableCommand({ TableName: 'anew' }));
    await createTable(account, {
      TableName: 'anew',
      KeySchema: [{ AttributeName: 'code', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'code', AttributeType: 'S' }],
    });
    expect((await resolvedTable(calls, asked)).version).to.equal(version);
    stack.clock.forward(OUTDATED_AGAIN_MS);
    const outdated = { ...asked, knownVersion: version, outdated: true };
    const now = await resolvedTable(calls, outdated);
    expect(now.metadata.key?.partitionKey?.name).to.equal('code');
    await fetch(`${stack.endpoint}/_requests?accountId=${ACCOUNT}`, { method: 'DELETE' });
    // Others who still hold the old version get what is known by now.
    expect((await resolvedTable(calls, outdated)).version).to.equal(now.version);
    // What was described a moment ago is not described again.
    await calls.resolve({ tables: [{ ...outdated, knownVersion: now.version }], maySample: true });
    const requests: unknown = await (await fetch(`${stack.endpoint}/_requests?accountId=${ACCOUNT}`)).json();
    expect(requests).to.deep.equal([]);
  });

  it('describes and samples a table at its first use, and answers from the store after that', async () => {
    const calls = stack.as('t-first');
    await calls.create(await ownSchemaOf('Shop'));
    await fetch(`${stack.endpoint}/_requests?accountId=${ACCOUNT}`, { method: 'DELETE' });
    const { metadata, access } = await resolvedTable(calls, { schema: 'shop', table: 'orders' });
    expect(access).to.include({ schemaName: 'Shop', region: 'eu-west-1', externalId: 'external-1' });
    expect(metadata.key).to.deep.include({
      partitionKey: { ...metadata.key?.partitionKey, name: 'customer', type: AttributeType.S },
      sortKey: { ...metadata.key?.sortKey, name: 'number', type: AttributeType.N },
    });
    expect(metadata.sampledItems).to.equal(40);
    expect(Number(metadata.itemCount)).to.equal(40);
    expect(Number(metadata.sizeBytes)).to.be.within(40 * 50, 40 * 120);
    const [byDay, ofDay] = metadata.indexes;
    expect(byDay).to.include({ name: 'by-day', global: true, projection: Projection.INCLUDE });
    expect(byDay?.nonKeyAttributes).to.deep.equal(['total']);
    expect(ofDay).to.include({ name: 'of-day', global: false, projection: Projection.ALL });
    expect(metadata.attributes.map(({ name }) => name)).to.deep.equal([
      'address',
      'customer',
      'day',
      'note',
      'number',
      'total',
    ]);
    const attribute = (name: string) => metadata.attributes.find((each) => each.name === name);
    expect(attribute('total')).to.include({ integerDigits: 5, scale: 3, distinctValues: 40 });
    expect(attribute('note')?.types.map(({ type, count }) => [type, count])).to.have.deep.members([
      [AttributeType.S, 20],
      [AttributeType.N, 20],
    ]);
    expect(attribute('day')?.types.map(({ type, count }) => [type, count])).to.deep.equal([
      [AttributeType.S, 0],
    ]);
    expect(attribute('address')?.nested.map(({ name }) => name)).to.deep.equal(['city', 'geo']);
    expect(attribute('address')?.nested[1]?.nested[0]?.nested[0]?.name).to.equal('lat');

    const asked = await stack.requests(ACCOUNT);
    expect(asked.map(({ operation }) => operation)).to.deep.equal(['DescribeTable', 'Scan']);
    await resolvedTable(calls, { schema: 'SHOP', table: 'orders' });
    expect(await stack.requests(ACCOUNT)).to.have.length(asked.length);
  });

  it('reads no item in plan mode, and samples when a query follows', async () => {
    const calls = stack.as('t-plan');
    await calls.create(await ownSchemaOf('shop'));
    await fetch(`${stack.endpoint}/_requests?accountId=${ACCOUNT}`, { method: 'DELETE' });
    const planned = await resolvedTable(calls, { schema: 'shop', table: 'orders' }, false);
    expect(planned.metadata).to.include({ sampledItems: 0, sampledAt: '' });
    expect(planned.metadata.attributes.map(({ name }) => name)).to.deep.equal(['customer', 'day', 'number']);
    expect((await stack.requests(ACCOUNT)).map(({ operation }) => operation)).to.deep.equal([
      'DescribeTable',
    ]);
    const executed = await resolvedTable(calls, { schema: 'shop', table: 'orders' });
    expect(executed.metadata.sampledItems).to.equal(40);
    expect(executed.version).to.not.equal(planned.version);
    const again = await resolvedTable(calls, { schema: 'shop', table: 'orders' }, false);
    expect(again.version).to.equal(executed.version);
  });

  it('answers "unchanged" to the version that it gave, until the schema changes', async () => {
    const calls = stack.as('t-version');
    await calls.create(await ownSchemaOf('shop'));
    const { version } = await resolvedTable(calls, { schema: 'shop', table: 'orders' });
    const reference = { schema: 'shop', table: 'orders', knownVersion: version };
    expect((await resolveOne(calls, reference)).case).to.equal('unchanged');
    await calls.refresh('shop');
    expect((await resolveOne(calls, reference)).case, 'a refresh that found nothing new').to.equal(
      'unchanged',
    );
    await calls.update({ schemaName: 'shop', tableAllowlist: { tables: ['orders'] } });
    expect((await resolvedTable(calls, reference)).version).to.not.equal(version);
  });

  it('reads a table once for many first uses at the same time, and resolves many tables at once', async () => {
    const calls = stack.as('t-flight');
    await calls.create(await ownSchemaOf('shop'));
    await fetch(`${stack.endpoint}/_requests?accountId=${ACCOUNT}`, { method: 'DELETE' });
    const tables = ['orders', 'Mixed', 'orders', 'nope'].map((table) => ({ schema: 'shop', table }));
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => calls.resolve({ tables, maySample: true })),
    );
    for (const answer of answers) {
      expect(answer.tables.map(({ result }) => result.case)).to.deep.equal([
        'table',
        'table',
        'table',
        'error',
      ]);
    }
    const described = (await stack.requests(ACCOUNT)).filter(
      ({ operation, tableName }) => operation === 'DescribeTable' && tableName === 'orders',
    );
    expect(described).to.have.length(1);
  });

  it('takes the only schema for an unqualified table, and asks for one where there are none or several', async () => {
    const calls = stack.as('t-only');
    const none = await resolutionError(calls, { table: 'orders' });
    expect(none).to.include({ code: 'SCHEMA_REQUIRED', message: 'Schema required for table: orders' });
    const both = await calls.resolve({ tables: [{ table: 'one' }, { table: 'two' }] });
    const messages = both.tables.map(({ result }) => (result.case === 'error' ? result.value.message : ''));
    expect(messages).to.deep.equal(['Schema required for table: one', 'Schema required for table: two']);
    await calls.create(await ownSchemaOf('Only'));
    const { access } = await resolvedTable(calls, { table: 'orders' });
    expect(access.schemaName).to.equal('Only');
    expect((await resolutionError(calls, { table: 'nope' })).message).to.equal('Table not found: Only.nope');
    await calls.create(await ownSchemaOf('Second'));
    expect(await resolutionError(calls, { table: 'orders' })).to.include({
      code: 'SCHEMA_REQUIRED',
      message: 'Schema required for table: orders',
    });
  });

  it('names the nearest schemas where there is none of the name', async () => {
    const calls = stack.as('t-near');
    await calls.create(await ownSchemaOf('Sales'));
    await stack.as('t-near-2').create(await ownSchemaOf('sale'));
    expect(await resolutionError(calls, { schema: 'slaes', table: 'orders' })).to.include({
      code: 'SCHEMA_NOT_FOUND',
      message: 'Schema not found: slaes',
      detail: 'Did you mean Sales?',
    });
  });

  it('refuses a suspended schema from the moment it is suspended', async () => {
    const calls = stack.as('t-disabled');
    await calls.create(await ownSchemaOf('Shop'));
    await resolvedTable(calls, { schema: 'shop', table: 'orders' });
    await calls.update({ schemaName: 'Shop', status: 'disabled' });
    expect(await resolutionError(calls, { schema: 'shop', table: 'orders' })).to.include({
      code: 'SCHEMA_DISABLED',
      message: 'Schema is disabled: shop',
    });
    expect(await resolutionError(calls, { table: 'orders' })).to.include({
      message: 'Schema is disabled: Shop',
    });
    expect(await refusal(calls.tables({ schemaName: 'shop', limit: 5 }))).to.include({
      code: 'SCHEMA_DISABLED',
    });
    await calls.update({ schemaName: 'Shop', status: 'active' });
    await resolvedTable(calls, { schema: 'shop', table: 'orders' });
  });

  it('hides a table outside the allowlist exactly as if it did not exist', async () => {
    const calls = stack.as('t-hidden');
    await calls.create(await ownSchemaOf('s'));
    await resolvedTable(calls, { schema: 's', table: 'secret' });
    await calls.update({ schemaName: 's', tableAllowlist: { tables: ['orders', 'secrex', 'Mixed'] } });
    const hidden = await resolutionError(calls, { schema: 's', table: 'secret' });
    const absent = await resolutionError(calls, { schema: 's', table: 'secreu' });
    const listed = await resolutionError(calls, { schema: 's', table: 'secrex' });
    expect(hidden).to.include({ code: 'TABLE_NOT_FOUND', message: 'Table not found: s.secret' });
    expect(hidden.detail).to.equal('Did you mean secrex?').and.equal(absent.detail);
    expect(absent).to.include({ code: 'TABLE_NOT_FOUND', message: 'Table not found: s.secreu' });
    expect(listed).to.include({ code: 'TABLE_NOT_FOUND', message: 'Table not found: s.secrex' });
    expect(listed.detail).to.equal(undefined);
    const { tables } = await calls.tables({ limit: 50 });
    expect(tables.map(({ metadata }) => metadata?.tableName)).to.deep.equal(['Mixed', 'orders', 'secrex']);
  });

  it('takes a name in another case where just one visible table fits', async () => {
    const calls = stack.as('t-case');
    await calls.create(await ownSchemaOf('s', { tables: ['Mixed', 'twin', 'TWIN'] }));
    expect((await resolvedTable(calls, { schema: 's', table: 'mIXED' })).metadata.tableName).to.equal(
      'Mixed',
    );
    const twins = await resolutionError(calls, { schema: 's', table: 'Twin' });
    expect(twins).to.include({ code: 'AMBIGUOUS_NAME', message: 'Table name is ambiguous: s.Twin' });
    expect(twins.detail).to.contain('twin, TWIN');
  });

  it('answers names that no table can have as not found', async () => {
    const calls = stack.as('t-odd');
    await calls.create(await ownSchemaOf('s'));
    for (const table of ['a', 'no table', 'x'.repeat(255)]) {
      expect(await resolutionError(calls, { schema: 's', table })).to.include({ code: 'TABLE_NOT_FOUND' });
    }
  });

  it('tells a role that cannot be assumed from one that lacks an action, and names no ARN', async () => {
    const poor = stack.account('333333333333');
    await simpleTable(poor, 'orders', [{ id: { S: '1' } }]);
    await stack.role(poor, { name: 'no-scan', actions: ['DescribeTable', 'Query'] });
    await stack.role(poor, { name: 'no-describe', actions: ['Scan'] });
    const calls = stack.as('t-denied');
    await calls.create(schemaOf(poor, 'wrongId', { roleName: 'no-scan', externalId: 'wrong' }));
    await calls.create(schemaOf(poor, 'noRole', { roleName: 'nobody' }));
    await calls.create(schemaOf(poor, 'noDescribe', { roleName: 'no-describe' }));
    const errors = await Promise.all(
      ['wrongId', 'noRole', 'noDescribe'].map((schema) =>
        resolutionError(calls, { schema, table: 'orders' }),
      ),
    );
    for (const error of errors) {
      expect(error.code).to.equal('ACCESS_DENIED');
      expect(`${error.message} ${error.detail}`).to.not.match(/arn:|333333333333|000000000000/);
    }
    expect(errors[0]?.message)
      .to.match(/role cannot be assumed/)
      .and.equal(errors[1]?.message);
    expect(errors[0]?.detail).to.match(/external-ID|externalId/);
    expect(errors[2]?.message).to.match(/dynamodb:DescribeTable on noDescribe\.orders/);
  });

  it('describes what it may not sample, since a read by key needs no scan', async () => {
    const poor = stack.account('333333333334');
    await simpleTable(poor, 'orders', [{ id: { S: '1' }, total: { N: '1' } }]);
    await stack.role(poor, { name: 'no-scan', actions: ['DescribeTable', 'GetItem'] });
    const calls = stack.as('t-no-scan');
    await calls.create(schemaOf(poor, 's', { roleName: 'no-scan' }));
    const table = await resolvedTable(calls, { schema: 's', table: 'orders' });
    expect(table.metadata?.sampledItems).to.equal(0);
    expect(table.metadata?.attributes.map(({ name }) => name)).to.deep.equal(['id']);
  });

  it('answers THROTTLED and UNAVAILABLE for the table that is, and the others all the same', async function () {
    this.timeout(90_000);
    const busy = stack.account('444444444444');
    await stack.role(busy);
    for (const name of ['busy', 'broken', 'fine']) await simpleTable(busy, name, [{ id: { S: '1' } }]);
    const calls = stack.as('t-busy');
    await calls.create(schemaOf(busy, 's'));
    await stack.faults([
      { accountId: '444444444444', tableName: 'busy', error: 'ThrottlingException' },
      { accountId: '444444444444', tableName: 'broken', error: 'InternalServerError' },
    ]);
    const tables = ['busy', 'broken', 'fine'].map((table) => ({ schema: 's', table }));
    const { tables: answers } = await calls.resolve({ tables, maySample: true });
    await stack.faults([]);
    const codes = answers.map(({ result }) => (result.case === 'error' ? result.value.code : result.case));
    expect(codes).to.deep.equal(['THROTTLED', 'UNAVAILABLE', 'table']);
  });

  it('refreshes what is older than an hour and used, in the background', async () => {
    const calls = stack.as('t-old');
    await calls.create(await ownSchemaOf('s'));
    await resolvedTable(calls, { schema: 's', table: 'orders' });
    const asked = () => stack.jobs.filter(({ job }) => job.tenantId === 't-old' && job.tableName !== null);
    await resolvedTable(calls, { schema: 's', table: 'orders' });
    expect(asked()).to.deep.equal([]);
    stack.clock.forward(61 * 60 * 1000);
    await resolvedTable(calls, { schema: 's', table: 'orders' });
    expect(asked().map(({ job }) => job.tableName)).to.deep.equal(['orders']);
  });

  it('keeps two tenants with equal names apart', async () => {
    const other = stack.account('555555555555');
    await stack.role(other);
    await simpleTable(other, 'orders', [{ id: { S: '1' }, theirs: { S: 'x' } }]);
    const [ours, theirs] = [stack.as('t-ours'), stack.as('t-theirs')];
    await ours.create(await ownSchemaOf('shop'));
    await theirs.create(schemaOf(other, 'shop'));
    const [one, two] = await Promise.all(
      [ours, theirs].map((calls) => resolvedTable(calls, { schema: 'shop', table: 'orders' })),
    );
    expect(one?.metadata.key?.partitionKey?.name).to.equal('customer');
    expect(two?.metadata.key?.partitionKey?.name).to.equal('id');
    expect(two?.metadata.attributes.map(({ name }) => name)).to.deep.equal(['id', 'theirs']);
    const { tables } = await ours.tables({ limit: 10 });
    expect(tables).to.have.length(1);
  });

  it('starts clean when a schema is created again, or moved to another account', async () => {
    const calls = stack.as('t-again');
    await calls.create(await ownSchemaOf('shop'));
    await resolvedTable(calls, { schema: 'shop', table: 'secret' });
    await calls.remove('shop');
    const other = stack.account('666666666666');
    await stack.role(other);
    await calls.create(schemaOf(other, 'shop'));
    expect((await calls.tables({ limit: 10 })).tables).to.deep.equal([]);
    expect((await resolutionError(calls, { schema: 'shop', table: 'secret' })).code).to.equal(
      'TABLE_NOT_FOUND',
    );
    await calls.update({
      schemaName: 'shop',
      accountId: ACCOUNT,
      roleArn: (await ownSchemaOf('shop')).roleArn,
    });
    await resolvedTable(calls, { schema: 'shop', table: 'secret' });
  });

  it('keeps attributes that a read reported, through samples that miss them', async function () {
    this.timeout(90_000);
    const own = stack.account('777777777777');
    await stack.role(own);
    await simpleTable(
      own,
      'wide',
      Array.from({ length: 600 }, (_, i) => ({ id: { S: `id-${i}` }, a: { S: 'x' } })),
    );
    const calls = stack.as('t-report');
    await calls.create(schemaOf(own, 's'));
    await fetch(`${stack.endpoint}/_requests?accountId=777777777777`, { method: 'DELETE' });
    const before = await resolvedTable(calls, { schema: 's', table: 'wide' });
    const scans = (await stack.requests('777777777777')).filter(({ operation }) => operation === 'Scan');
    expect(new Set(scans.map(({ segment }) => segment)).size).to.equal(16);
    const rare = {
      name: 'rare',
      types: [{ type: AttributeType.N, count: 7 }],
      integerDigits: 3,
      nested: [],
    };
    const report = { schemaName: 'S', tableName: 'wide', attributes: [rare, { name: 'a', types: [] }] };
    await Promise.all([calls.report(report), calls.report(report)]);
    const reported = await resolvedTable(calls, { schema: 's', table: 'wide' });
    expect(reported.version).to.not.equal(before.version);
    expect(reported.metadata.attributes.map(({ name }) => name)).to.deep.equal(['a', 'id', 'rare']);
    await calls.report(report);
    expect((await resolvedTable(calls, { schema: 's', table: 'wide' })).version).to.equal(reported.version);
    expect((await calls.refresh('s')).ok).to.equal(true);
    const after = await resolvedTable(calls, { schema: 's', table: 'wide' });
    expect(after.metadata.attributes.map(({ name }) => name)).to.deep.equal(['a', 'id', 'rare']);
    expect(after.metadata.sampledItems).to.be.at.most(256);
  });

  it('ignores a report about a table that is not known, and refuses one for a schema that is not there', async () => {
    const calls = stack.as('t-report-none');
    await calls.create(await ownSchemaOf('s'));
    const attributes = [{ name: 'a', types: [{ type: AttributeType.S, count: 1 }] }];
    await calls.report({ schemaName: 's', tableName: 'orders', attributes });
    expect((await calls.tables({ limit: 10 })).tables).to.deep.equal([]);
    const error = await refusal(calls.report({ schemaName: 'nope', tableName: 'orders', attributes }));
    expect(error).to.include({ code: 'SCHEMA_NOT_FOUND', message: 'Schema not found: nope' });
  });

  it('lists tables by schema and name in pages, described or not', async () => {
    const calls = stack.as('t-list');
    await calls.create(await ownSchemaOf('Beta', { tables: ['orders', 'Mixed'] }));
    await calls.create(await ownSchemaOf('alpha', { tables: ['zeta', 'orders'] }));
    await resolvedTable(calls, { schema: 'beta', table: 'orders' });
    const seen: [string, string | undefined, boolean][] = [];
    let token: string | undefined;
    let pages = 0;
    do {
      const page = await calls.tables({ limit: 1, ...(token === undefined ? {} : { nextToken: token }) });
      for (const { schemaName, metadata } of page.tables)
        seen.push([schemaName, metadata?.tableName, metadata?.key !== undefined]);
      token = page.nextToken;
      pages++;
    } while (token !== undefined && pages < 10);
    expect(seen).to.deep.equal([
      ['alpha', 'orders', false],
      ['alpha', 'zeta', false],
      ['Beta', 'Mixed', false],
      ['Beta', 'orders', true],
    ]);
    expect(pages).to.equal(4);
    const one = await calls.tables({ schemaName: 'BETA', limit: 1 });
    const foreign = await refusal(calls.tables({ schemaName: 'alpha', limit: 1, nextToken: one.nextToken! }));
    expect(foreign.code).to.equal('VALIDATION_ERROR');
    expect((await refusal(calls.tables({ schemaName: 'gamma', limit: 1 }))).code).to.equal(
      'SCHEMA_NOT_FOUND',
    );
  });

  it('asks for a refresh when the tables of a schema with * are listed and never were refreshed', async () => {
    const calls = stack.as('t-star');
    await calls.create(await ownSchemaOf('s', { tables: ['*'] }));
    const asked = () => stack.jobs.filter(({ job }) => job.tenantId === 't-star').length;
    expect(asked()).to.equal(1);
    expect((await calls.tables({ limit: 10 })).tables).to.deep.equal([]);
    expect(asked()).to.equal(2);
    await calls.refresh('s');
    const { tables } = await calls.tables({ limit: 10 });
    expect(tables.map(({ metadata }) => metadata?.tableName)).to.include.members([
      'Mixed',
      'orders',
      'secret',
    ]);
    expect(asked()).to.equal(2);
  });

  it('answers from the store when the table has gone meanwhile, until it is refreshed', async () => {
    const own = stack.account('888888888888');
    await stack.role(own);
    await simpleTable(own, 'gone', [{ id: { S: '1' } }]);
    const calls = stack.as('t-gone');
    await calls.create(schemaOf(own, 's'));
    await resolvedTable(calls, { schema: 's', table: 'gone' });
    await own.dynamodb.send(new PutItemCommand({ TableName: 'gone', Item: { id: { S: '2' } } }));
    await own.dynamodb.send(new DeleteTableCommand({ TableName: 'gone' }));
    await resolvedTable(calls, { schema: 's', table: 'gone' });
    expect(await calls.refresh('s')).to.include({ ok: true, tableCount: 0, deletedCount: 1 });
    expect((await resolutionError(calls, { schema: 's', table: 'gone' })).code).to.equal('TABLE_NOT_FOUND');
  });
});

describe('tables whose names differ in case only', () => {
  let twins: TestStack;

  // The other emulator takes such names for one.
  before(async function () {
    this.timeout(60_000);
    twins = await startTestStack({ emulator: 'dynalite' });
  });
  after(() => twins.close());

  it('takes a table of the very name before a known one that differs in case', async () => {
    const calls = twins.as('t-twins');
    const own = twins.account('222222222222');
    await twins.role(own);
    await simpleTable(own, 'Users', [{ id: { S: '1' }, upper: { S: 'x' } }]);
    await calls.create(schemaOf(own, 's'));
    await resolvedTable(calls, { schema: 's', table: 'Users' });
    const before = await resolvedTable(calls, { schema: 's', table: 'users' });
    expect(before.metadata.tableName).to.equal('Users');
    await simpleTable(own, 'users', [{ id: { S: '1' }, lower: { S: 'x' } }]);
    twins.clock.forward(31_000);
    const after = await resolvedTable(calls, { schema: 's', table: 'users' });
    expect(after.metadata.tableName).to.equal('users');
    expect(after.metadata.attributes.map(({ name }) => name)).to.deep.equal(['id', 'lower']);
  });
});
