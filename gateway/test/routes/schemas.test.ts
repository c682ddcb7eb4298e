import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { CLIENT } from '../../../services/common/test/token/signer.ts';
import { MEMBER, startGateway, type Answer, type TestGateway } from '../support/gateway.ts';

const BODY = {
  schemaName: 'Sales',
  region: 'eu-west-1',
  accountId: '123456789012',
  roleArn: 'arn:aws:iam::123456789012:role/access',
  externalId: 'b0a7ff2e-6a5c-4a58-9a9e-0c7e1b0b1d11',
};
const RECORD = {
  tenantId: 'tenant-1',
  ...BODY,
  tableAllowlist: [],
  status: 'active',
  createdAt: '2026-03-11T08:00:00.000Z',
};
const CHANGED = { ...RECORD, updatedAt: '2026-03-12T08:00:00.000Z' };

describe('/v1/schemas', () => {
  let gateway: TestGateway;
  /** What the service was asked, without protobuf's own fields. */
  let asked: unknown;
  beforeEach(async () => {
    gateway = await startGateway();
    asked = null;
    const note =
      <T>(answer: T) =>
      (request: object): T => {
        asked = JSON.parse(JSON.stringify(request));
        return answer;
      };
    gateway.fakes.schemas = {
      createSchema: note(CHANGED),
      getSchema: note(CHANGED),
      listSchemas: note({ items: [CHANGED], nextToken: 'next' }),
      updateSchema: note(CHANGED),
      deleteSchema: note({ schemaName: 'Sales' }),
      refreshMetadata: note({ ok: false, message: '2 tables, 1 failed', refreshedAt: CHANGED.updatedAt, tableCount: 2, failedTableCount: 1, deletedCount: 0, skipped: false, readUnits: 1.5 }), // oxfmt-ignore
      validateRole: note({ ok: true, message: 'The role works' }),
    };
  });
  afterEach(() => gateway.close());

  const keys = ({ body }: Answer): string[] => Object.keys(body.data);

  it('creates: 201 with the record, updatedAt last', async () => {
    const answer = await gateway.send('POST', '/v1/schemas', {
      json: { ...BODY, tableAllowlist: ['orders', '*'] },
    });
    expect(answer.status).to.equal(201);
    expect(answer.body).to.deep.equal({ success: true, data: CHANGED });
    expect(keys(answer)).to.deep.equal(Object.keys(CHANGED));
    expect(asked).to.deep.include({ ...BODY, tableAllowlist: tablesOf(['orders', '*']) });
  });

  const tablesOf = (tables: string[]) => ({ $typeName: 'penstock.schema.v1.TableAllowlist', tables });

  it('tells no allowlist from an empty one', async () => {
    await gateway.send('POST', '/v1/schemas', { json: BODY });
    expect(asked).to.not.have.property('tableAllowlist');
    await gateway.send('PATCH', '/v1/schemas/Sales', { json: { tableAllowlist: [] } });
    expect(asked).to.deep.include({ tableAllowlist: tablesOf([]) });
  });

  it('takes read limits and removes them, and shows them where they are set', async () => {
    const readLimits = { unitsPerSecond: 50, unitsPerQuery: 0.5, tableUnitsPerSecond: { orders: 7.5 } };
    const sent = (limits: object) => ({
      readLimits: { $typeName: 'penstock.schema.v1.ReadLimits', tableUnitsPerSecond: {}, ...limits },
    });
    gateway.fakes.schemas.getSchema = () => ({ ...CHANGED, readLimits });
    await gateway.send('POST', '/v1/schemas', { json: { ...BODY, readLimits } });
    expect(asked).to.deep.include(sent(readLimits));
    await gateway.send('POST', '/v1/schemas', { json: BODY });
    expect(asked).to.not.have.property('readLimits');
    for (const none of [null, {}]) {
      await gateway.send('PATCH', '/v1/schemas/Sales', { json: { readLimits: none } });
      expect(asked).to.deep.include(sent({}));
    }
    const { body } = await gateway.send('GET', '/v1/schemas/Sales');
    expect(body.data).to.deep.equal({ ...RECORD, readLimits });
  });

  it('gets one: the record without updatedAt, in the order of the contract', async () => {
    const answer = await gateway.send('GET', '/v1/schemas/sALES');
    expect(answer.body).to.deep.equal({ success: true, data: RECORD });
    expect(keys(answer)).to.deep.equal(Object.keys(RECORD));
    expect(asked).to.deep.include({ schemaName: 'sALES' });
  });

  it('lists: items without updatedAt, and the cursor only where there is one', async () => {
    const page = await gateway.send('GET', '/v1/schemas?limit=7&nextToken=abc');
    expect(page.body.data).to.deep.equal({ items: [RECORD], nextToken: 'next' });
    expect(asked).to.deep.include({ limit: 7, nextToken: 'abc' });
    gateway.fakes.schemas.listSchemas = () => ({ items: [] });
    expect((await gateway.send('GET', '/v1/schemas')).body.data).to.deep.equal({ items: [] });
  });

  it('cuts a limit to 100, which is also the default', async () => {
    for (const query of ['', '?limit=101', '?limit=999999999999']) {
      await gateway.send('GET', `/v1/schemas${query}`);
      expect(asked, query).to.deep.include({ limit: 100 });
    }
  });

  for (const [query, named] of [
    ['limit=0', 'limit'],
    ['limit=x', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit is given more than once'],
    ['nextToken=', 'nextToken'],
    ['order=name', 'Unknown parameter: order'],
    ['__proto__=1', 'Unknown parameter: __proto__'],
  ] as const) {
    it(`refuses ?${query}`, async () => {
      const { status, body } = await gateway.send('GET', `/v1/schemas?${query}`);
      expect(status).to.equal(400);
      expect(body.error).to.include({ code: 'VALIDATION_ERROR' });
      expect(body.error.message).to.contain(named);
    });
  }

  it('changes what is given', async () => {
    const json = { status: 'disabled', region: 'us-east-1' };
    const answer = await gateway.send('PATCH', '/v1/schemas/Sales', { json });
    expect(answer.body).to.deep.equal({ success: true, data: CHANGED });
    expect(asked).to.deep.equal({
      $typeName: 'penstock.schema.v1.UpdateSchemaRequest',
      schemaName: 'Sales',
      ...json,
    });
  });

  it('deletes', async () => {
    const { status, body } = await gateway.send('DELETE', '/v1/schemas/sales');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ success: true, data: { schemaName: 'Sales', deleted: true } });
  });

  it('refreshes metadata', async () => {
    const { body } = await gateway.send('POST', '/v1/schemas/Sales/refresh-metadata');
    expect(body.data).to.deep.equal({
      ok: false,
      message: '2 tables, 1 failed',
      refreshedAt: CHANGED.updatedAt,
      tableCount: 2,
      failedTableCount: 1,
      deletedCount: 0,
      skipped: false,
      readUnits: 1.5,
    });
  });

  it('validates a role', async () => {
    const { body } = await gateway.send('POST', '/v1/schemas/Sales/validate-role');
    expect(body).to.deep.equal({ success: true, data: { ok: true, message: 'The role works' } });
  });

  describe('refuses a body', () => {
    const bad: readonly [field: string, body: Record<string, unknown>][] = [
      ['schemaName', { ...BODY, schemaName: '1sales' }],
      ['schemaName', { ...BODY, schemaName: 'x'.repeat(65) }],
      ['region', { ...BODY, region: 'Europe' }],
      ['accountId', { ...BODY, accountId: '12345' }],
      ['roleArn', { ...BODY, roleArn: 'arn:aws:iam::123456789012:user/x' }],
      ['externalId', { ...BODY, externalId: 'x' }],
      ['externalId', { ...BODY, externalId: 'has space' }],
      ['tableAllowlist[1]', { ...BODY, tableAllowlist: ['orders', 'a'] }],
      ['tableAllowlist', { ...BODY, tableAllowlist: 'orders' }],
      ['tableAllowlist', { ...BODY, tableAllowlist: Array.from({ length: 501 }, (_, i) => `table-${i}`) }],
      ['readLimits.unitsPerSecond must be at least 0.5', { ...BODY, readLimits: { unitsPerSecond: -1 } }],
      ['readLimits.unitsPerQuery must be at least 0.5', { ...BODY, readLimits: { unitsPerQuery: 0 } }],
      ['readLimits.unitsPerSecond must be at most', { ...BODY, readLimits: { unitsPerSecond: 1e7 } }],
      ['Unknown field: readLimits.unitsPerDay', { ...BODY, readLimits: { unitsPerDay: 1 } }],
      ['readLimits.tableUnitsPerSecond', { ...BODY, readLimits: { tableUnitsPerSecond: { 'a b': 1 } } }],
      [
        'readLimits.tableUnitsPerSecond.orders',
        { ...BODY, readLimits: { tableUnitsPerSecond: { orders: -1 } } },
      ],
      ['Unknown field: tableAllowList', { ...BODY, tableAllowList: [] }],
      ...Object.keys(BODY).map((key): [string, Record<string, unknown>] => [
        `${key} is required`,
        { ...BODY, [key]: undefined },
      ]),
    ];
    for (const [named, json] of bad) {
      it(`that is wrong: ${named}`, async () => {
        const { status, body } = await gateway.send('POST', '/v1/schemas', { json });
        expect(status).to.equal(400);
        expect(body.error.code).to.equal('VALIDATION_ERROR');
        expect(body.error.message).to.contain(named);
        expect(asked).to.equal(null);
      });
    }

    for (const json of [{}, { status: 'paused' }, { schemaName: 'Other' }, { region: 7 }, []]) {
      it(`of a PATCH: ${JSON.stringify(json)}`, async () => {
        const { status, body } = await gateway.send('PATCH', '/v1/schemas/Sales', { json });
        expect(status).to.equal(400);
        expect(body.error.code).to.equal('VALIDATION_ERROR');
      });
    }
  });

  const routes: readonly [method: string, path: string, scope: string, json?: object][] = [
    ['POST', '/v1/schemas', 'schemas:write', BODY],
    ['GET', '/v1/schemas', 'schemas:read'],
    ['GET', '/v1/schemas/Sales', 'schemas:read'],
    ['PATCH', '/v1/schemas/Sales', 'schemas:write', { status: 'active' }],
    ['DELETE', '/v1/schemas/Sales', 'schemas:write'],
    ['POST', '/v1/schemas/Sales/refresh-metadata', 'schemas:write'],
    ['POST', '/v1/schemas/Sales/validate-role', 'schemas:write'],
  ];
  for (const [method, path, scope, json] of routes) {
    const request = json === undefined ? {} : { json };

    it(`${method} ${path} needs a token, and the scope ${scope}`, async () => {
      const unknown = await gateway.send(method, path, { ...request, as: null });
      expect(unknown.status).to.equal(401);
      expect(unknown.body.error).to.deep.equal({
        message: 'Unauthorized',
        code: 'UNAUTHORIZED',
        requestId: unknown.headers.get('x-request-id'),
      });
      const { body, status } = await gateway.send(method, path, {
        ...request,
        as: { ...CLIENT, scopes: ['usage:read'] },
      });
      expect(status).to.equal(403);
      expect(body.error).to.include({ code: 'INSUFFICIENT_SCOPE' });
      expect(body.error.message).to.contain(scope);
    });

    if (scope === 'schemas:write') {
      it(`${method} ${path} needs the admin role of a portal user`, async () => {
        const { status, body } = await gateway.send(method, path, { ...request, as: MEMBER });
        expect(status).to.equal(403);
        expect(body.error).to.include({
          code: 'TENANT_ADMIN_REQUIRED',
          message: 'Tenant admin access required',
        });
        const admin = await gateway.send(method, path, { ...request, as: { ...MEMBER, role: 'admin' } });
        expect(admin.status).to.be.oneOf([200, 201]);
      });
    }

    it(`${method} ${path} tells an error of the service by its code`, async () => {
      for (const name of Object.keys(gateway.fakes.schemas)) {
        Object.assign(gateway.fakes.schemas, {
          [name]: () => {
            throw new PenstockError('UNAVAILABLE', 'No table', { retryAfterS: 3 });
          },
        });
      }
      const { status, body, headers } = await gateway.send(method, path, request);
      expect(status).to.equal(503);
      expect(headers.get('retry-after')).to.equal('3');
      expect(body.error).to.deep.equal({
        message: 'No table',
        code: 'UNAVAILABLE',
        requestId: headers.get('x-request-id'),
      });
    });
  }

  it('answers an unknown schema with 404 and its name, and a taken name with 409', async () => {
    gateway.fakes.schemas.getSchema = () => {
      throw new PenstockError('SCHEMA_NOT_FOUND', 'Schema not found: Nope');
    };
    const unknown = await gateway.send('GET', '/v1/schemas/Nope');
    expect([unknown.status, unknown.body.error.code]).to.deep.equal([404, 'SCHEMA_NOT_FOUND']);
    gateway.fakes.schemas.createSchema = () => {
      throw new PenstockError('SCHEMA_ALREADY_EXISTS', 'A schema with that name already exists');
    };
    const taken = await gateway.send('POST', '/v1/schemas', { json: BODY });
    expect([taken.status, taken.body.error.code]).to.deep.equal([409, 'SCHEMA_ALREADY_EXISTS']);
  });

  it('calls a name that no schema can have unknown, but a bad request where a role is validated', async () => {
    for (const path of ['..%2Fshop', 'a%20b', '%F0%9F%92%A7', 'x'.repeat(65)]) {
      const { status, body } = await gateway.send('GET', `/v1/schemas/${path}`);
      expect(status, path).to.equal(404);
      expect(body.error.message).to.equal(`Schema not found: ${decodeURIComponent(path)}`);
      const validated = await gateway.send('POST', `/v1/schemas/${path}/validate-role`);
      expect(validated.status, path).to.equal(400);
    }
    expect(asked).to.equal(null);
  });

  it('answers 503 when the service does not answer in time', async function () {
    this.timeout(90_000);
    gateway.fakes.schemas.getSchema = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
    const { status, body, headers } = await gateway.send('GET', '/v1/schemas/Sales');
    expect(status).to.equal(503);
    expect(body.error.message).to.equal('The schema service did not answer in time; try again');
    expect(headers.get('retry-after')).to.equal('1');
  });
});
