import { expect } from 'chai';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { ALL_SCOPES, newClient, newTenant, tenantWith, type TestTenant } from '../support/tenant.ts';

/** Every endpoint that needs a scope, with a request that passes all other checks before the scope. */
const ENDPOINTS: readonly { readonly method: string; readonly path: string; readonly scope: string; readonly json?: unknown }[] = [
  { method: 'POST', path: '/v1/query', scope: 'query', json: { sql: 'SELECT 1' } },
  { method: 'POST', path: '/v1/query', scope: 'query', json: { sql: 'SELECT 1', mode: 'plan' } },
  { method: 'GET', path: '/v1/queries/none', scope: 'query' },
  { method: 'DELETE', path: '/v1/queries/none', scope: 'query' },
  { method: 'PATCH', path: '/v1/queries/none', scope: 'query', json: { rowsWanted: 1 } },
  { method: 'GET', path: '/v1/schemas', scope: 'schemas:read' },
  { method: 'GET', path: '/v1/schemas/none', scope: 'schemas:read' },
  { method: 'POST', path: '/v1/schemas', scope: 'schemas:write', json: {} },
  { method: 'PATCH', path: '/v1/schemas/none', scope: 'schemas:write', json: { status: 'disabled' } },
  { method: 'DELETE', path: '/v1/schemas/none', scope: 'schemas:write' },
  { method: 'POST', path: '/v1/schemas/none/refresh-metadata', scope: 'schemas:write' },
  { method: 'POST', path: '/v1/schemas/none/validate-role', scope: 'schemas:write' },
  { method: 'GET', path: '/v1/usage/summary', scope: 'usage:read' },
]; // oxfmt-ignore

describe('contract: scopes', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  const clients = new Map<string, TestTenant>();

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
    for (const scope of ALL_SCOPES.split(' ')) {
      const others = ALL_SCOPES.split(' ').filter((s) => s !== scope);
      for (const [key, scopes] of [
        [`only ${scope}`, scope],
        [`all but ${scope}`, others.join(' ')],
      ] as const) {
        clients.set(
          key,
          await tenantWith(stack, tenant.tenantId, await newClient(stack, tenant.tenantId, scopes)),
        );
      }
    }
  });

  for (const { method, path, scope, json } of ENDPOINTS) {
    const request = json === undefined ? {} : { json };
    it(`${method} ${path} needs ${scope}, which is enough`, async () => {
      const refused = await clients
        .get(`all but ${scope}`)!
        .call<Record<string, unknown>>(method, path, request);
      expect(refused.status).to.equal(403);
      if (path === '/v1/query') {
        expect(refused.body['error']).to.be.a('string').that.includes(scope);
      } else {
        expect(refused.body['error']).to.include({ code: 'INSUFFICIENT_SCOPE' });
      }
      const passed = await clients.get(`only ${scope}`)!.call(method, path, request);
      expect(passed.status).to.not.be.oneOf([401, 403, 500]);
    });
  }
});
