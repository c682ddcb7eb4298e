import { UsageService } from '@penstock/common/gen/penstock/usage/v1/usage_pb.js';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { callOptions, createRpcClient } from '@penstock/common/rpc/client.ts';
import type { RpcClient } from '@penstock/common/rpc/client.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { startRpcServer } from '@penstock/common/rpc/server.ts';
import type { RpcServer } from '@penstock/common/rpc/server.ts';
import { createMetrics } from '@penstock/common/telemetry/metrics.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import { expect } from 'chai';
import { pino } from 'pino';
import { usageRoutes } from '../../src/rpc/usage-service.ts';
import { daysOf } from '../../src/summary/dates.ts';

const logger = pino({ level: 'silent' });
const client: Principal = {
  tenantId: 'tnt_a',
  principalId: 'cli_1',
  principalType: 'client',
  scopes: ['usage:read'],
  role: null,
  generation: 1,
  rateLimit: null,
  tokenType: 'rest',
};
/** Principals by the token that stands for them. */
const principals: Readonly<Record<string, Principal>> = {
  reader: client,
  unscoped: { ...client, scopes: ['query', 'schemas:write'] },
  member: { ...client, principalType: 'user', role: 'member' },
  admin: { ...client, principalType: 'user', role: 'admin', scopes: [], tenantId: 'tnt_b' },
};

describe('UsageService', () => {
  let server: RpcServer;
  let rpc: RpcClient<typeof UsageService>;

  const summary = (token: string | null, startDate = '2026-11-20', endDate = '2026-11-21') =>
    rpc.client.getSummary({ startDate, endDate }, callOptions({ token, requestId: 'test' }));
  const failure = async (call: Promise<unknown>): Promise<PenstockError> =>
    call.then(
      () => expect.fail('The call succeeded'),
      (error: unknown) => fromConnectError(error),
    );

  before(async () => {
    const counts = { requests: 2, rowsReturned: 2 ** 40, readHalfUnits: 7 };
    const summarize = async (name: string, startDate: string, endDate: string) => {
      const days = daysOf(startDate, endDate).map((day) => ({ day, counts }));
      return { totals: { ...counts, requests: name.length }, days };
    };
    const routes = usageRoutes({
      summarize,
      summarizeEach: (names, startDate, endDate) =>
        Promise.all(names.map((name) => summarize(name, startDate, endDate))),
    });
    server = await startRpcServer({
      host: '127.0.0.1',
      port: 0,
      routes,
      verifier: {
        async verify(token) {
          const principal = principals[token];
          if (principal === undefined) throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
          return principal;
        },
      },
      logger,
      metrics: createMetrics('usage-metering'),
      isReady: () => true,
    });
    rpc = createRpcClient(UsageService, { target: `ipv4:127.0.0.1:${server.port}`, defaultTimeoutMs: 5000 });
  });
  after(async () => {
    rpc.close();
    await server.close();
  });

  it('gives the tenant of the token its totals and days', async () => {
    const { tenantId, totals, days } = await summary('reader');
    expect(tenantId).to.equal('tnt_a');
    expect(totals).to.include({ rowsReturned: 2n ** 40n, readHalfUnits: 7n });
    expect(days.map(({ day }) => day)).to.deep.equal(['2026-11-20', '2026-11-21']);
    expect((await summary('admin')).tenantId).to.equal('tnt_b');
  });

  it('refuses who may not read usage', async () => {
    expect(await failure(summary('unscoped'))).to.include({ code: 'INSUFFICIENT_SCOPE' });
    const member = await failure(summary('member'));
    expect(member).to.include({ code: 'TENANT_ADMIN_REQUIRED', message: 'Tenant admin access required' });
    for (const token of [null, 'forged']) {
      expect(await failure(summary(token))).to.include({ code: 'UNAUTHORIZED', message: 'Unauthorized' });
    }
  });

  it('tells callers what they and their tenant have consumed, whatever their scopes', async () => {
    const consumed = (token: string) =>
      rpc.client.getConsumed({ day: '2026-11-20' }, callOptions({ token, requestId: 'test' }));
    const found = await consumed('unscoped');
    expect(found.tenant).to.include({ dayHalfUnits: 7n, monthHalfUnits: 7n });
    expect(found.client).to.include({ dayHalfUnits: 7n });
    expect((await consumed('member')).client).to.equal(undefined);
    expect((await failure(consumed('forged'))).code).to.equal('UNAUTHORIZED');
  });

  it('says what is wrong with dates', async () => {
    expect(await failure(summary('reader', '2026-11-22', '2026-11-21'))).to.include({
      code: 'VALIDATION_ERROR',
      message: 'startDate must be before or equal to endDate',
    });
    const malformed = await failure(summary('reader', 'yesterday'));
    expect(malformed.code).to.equal('VALIDATION_ERROR');
    expect(malformed.message).to.include('start_date');
  });
});
