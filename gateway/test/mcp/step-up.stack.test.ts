import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newClient, newTenant, type TestTenant } from '../e2e/support/tenant.ts';
import { CLIENTS, mcpToken } from './support/mcp.ts';

describe('an agent whose token lacks a scope', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let url: URL;

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
    url = new URL(`${stack.mcpUrl}/mcp`);
  });

  for (const [kind, connect] of Object.entries(CLIENTS)) {
    it(`gets one that has it, and keeps what it could do before, with ${kind}`, async () => {
      const narrow = await mcpToken(stack, tenant.credentials, 'schemas:read');
      const client = await connect(url, narrow, tenant.credentials);
      expect(await client.tools()).to.have.members(['list_tables', 'describe_table']);
      const planned = await client.call('run_sql', { sql: 'SELECT 1', mode: 'plan' });
      expect(planned.structuredContent).to.have.property('plan');
      expect(await client.tools()).to.have.length(3);
      expect((await client.call('list_tables')).isError).to.not.equal(true);
      await client.close();
    });

    it(`is told where it may not have it, with ${kind}`, async () => {
      const credentials = await newClient(stack, tenant.tenantId, 'schemas:read');
      const client = await connect(url, await mcpToken(stack, credentials), credentials);
      const outcome = await client.call('run_sql', { sql: 'SELECT 1' }).then(
        () => 'answered',
        (error: unknown) => String(error),
      );
      expect(outcome).to.match(/scop(e|ing)/i);
      await client.close();
    });
  }
});
