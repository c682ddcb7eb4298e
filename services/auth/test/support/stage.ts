import { randomBytes } from 'node:crypto';
import type { DocumentNetwork } from '../../src/oauth/metadata-documents/network.ts';
import { startReplica } from './auth-server.ts';
import type { TestReplica } from './auth-server.ts';
import { movableClock } from './clock.ts';
import type { MovableClock } from './clock.ts';
import type { TestDynamo } from './dynamodb.ts';
import { newUser } from './sign-in.ts';
import type { TestUser } from './sign-in.ts';

/** Two replicas over one new table, with a tenant and a user. */
export interface Stage {
  readonly one: TestReplica;
  readonly two: TestReplica;
  readonly clock: MovableClock;
  readonly tenantId: string;
  readonly user: TestUser;
  /** Everything in the table and in the logs, as text. */
  kept(): Promise<string>;
  newClient(scopes?: string[]): Promise<{ clientId: string; clientSecret: string }>;
  close(): Promise<void>;
}

export async function setStage(
  dynamo: TestDynamo,
  options: { documentNetwork?: DocumentNetwork; mcpUrl?: string } = {},
): Promise<Stage> {
  const clock = movableClock();
  const table = await dynamo.table(clock);
  const shared = { table, clock, keyEncryptionKeys: [randomBytes(32)], ...options };
  const [one, two] = [await startReplica(shared), await startReplica(shared)];
  const { tenantId } = await one.admin.createTenant({ name: 'Acme' }, one.operator);
  return {
    one,
    two,
    clock,
    tenantId,
    user: await newUser(one, tenantId),
    kept: async () => (await dynamo.dump(table.tableName)) + one.logged() + two.logged(),
    async newClient(scopes = []) {
      const made = await one.admin.createClient({ tenantId, name: 'c', scopes }, one.operator);
      return { clientId: made.client?.clientId ?? '', clientSecret: made.clientSecret };
    },
    async close() {
      await Promise.all([one.close(), two.close()]);
    },
  };
}
