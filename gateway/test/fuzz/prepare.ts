/** A stack of its own, since the fuzz uses up what is throttled, with everything in it that requests can be about. */
import { discardStack, startTestStack } from '../e2e/support/stack.ts';
import { seedShop } from '../e2e/support/shop.ts';
import { newAccount, newTenant, registerSchema } from '../e2e/support/tenant.ts';
import { newUser, register } from '../login/support/sign-in.ts';
import { mcpToken } from '../mcp/support/mcp.ts';
import { fuzz, type FuzzOptions, type FuzzReport } from './run.ts';
import { consoleTargets } from './targets/console.ts';
import { mcpTargets } from './targets/mcp.ts';
import { oauthTargets } from './targets/oauth.ts';
import { pageTargets } from './targets/pages.ts';
import { postgresTargets } from './targets/postgres.ts';
import { restTargets } from './targets/rest.ts';
import { statementTarget } from './targets/statements.ts';

export interface PreparedFuzz {
  run(options: FuzzOptions): Promise<FuzzReport>;
  close(): Promise<void>;
}

export async function prepareFuzz(): Promise<PreparedFuzz> {
  const stack = await startTestStack({ trustedProxies: 'loopback', queryEngines: 1 });
  const tenant = await newTenant(stack);
  const account = newAccount(stack);
  await seedShop(account);
  const { schemaName } = await registerSchema(stack, tenant, account, {
    schemaName: 'shop',
    tableAllowlist: ['customers'],
  });
  await tenant.query('SELECT * FROM shop.customers');
  const token = await mcpToken(stack, tenant.credentials);
  const { enrollUrl } = await newUser(stack, tenant.tenantId, 'at-sign-in');
  const targets = [
    ...restTargets(tenant.token, schemaName),
    statementTarget(tenant.token),
    statementTarget(tenant.token, 'more statements'),
    ...(await mcpTargets(new URL(stack.mcpUrl), token)),
    ...oauthTargets(await register(stack), `${stack.mcpUrl}/mcp`),
    ...(await pageTargets(stack, enrollUrl)),
    ...(await consoleTargets(stack, (await newTenant(stack)).tenantId)),
    ...postgresTargets(Number(new URL(stack.postgresUrl).port), tenant.credentials),
  ];
  return Object.freeze({
    run: (options: FuzzOptions) => fuzz(stack, targets, options),
    async close() {
      account.close();
      await discardStack(stack);
    },
  });
}
