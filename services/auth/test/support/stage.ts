import { randomBytes } from 'node:crypto';
import type { DocumentNetwork } from '../../src/oauth/metadata-documents/network.ts';
import type { AuthTable } from '../../src/store/table.ts';
import { startReplica } from './auth-server.ts';
import type { TestReplica } from './auth-server.ts';
import { movableClock } from './clock.ts';
import type { MovableClock } from './clock.ts';
import { startTestDynamo } from './dynamodb.ts';
import type { TestDynamo } from './dynamodb.ts';
import { newUser } from './sign-in.ts';
import type { TestUser } from './sign-in.ts';

/** Two replicas over one new table, with a tenant and a user. */
export interface Stage {
  readonly one: TestReplica;
  readonly two: TestReplica;
  readonly table: AuthTable;
  readonly clock: MovableClock;
  readonly tenantId: string;
  readonly user: TestUser;
  /** Everything in the table and in the logs, as text. */
  kept(): Promise<string>;
  newClient(scopes?: string[]): Promise<{ clientId: string; clientSecret: string }>;
}

/** What may differ from stage to stage. */
interface StageChange {
  /** The public internet where absent. */
  readonly documentNetwork?: DocumentNetwork;
  readonly mcpUrl?: string;
}

interface StageInUse extends Stage {
  /** Another stage, with a table of its own. It is closed with this one. */
  another(change?: StageChange): Promise<Stage>;
}

interface SetStage {
  readonly stage: Stage;
  readonly close: () => Promise<void>;
}

async function setStage(dynamo: TestDynamo, change: StageChange): Promise<SetStage> {
  const clock = movableClock();
  const table = await dynamo.table(clock);
  const shared = { table, clock, keyEncryptionKeys: [randomBytes(32)], ...change };
  const [one, two] = [await startReplica(shared), await startReplica(shared)];
  const { tenantId } = await one.admin.createTenant({ name: 'Acme' }, one.operator);
  const stage: Stage = {
    one,
    two,
    table,
    clock,
    tenantId,
    user: await newUser(one, tenantId),
    kept: async () => (await dynamo.dump(table.tableName)) + one.logged() + two.logged(),
    async newClient(scopes = []) {
      const made = await one.admin.createClient({ tenantId, name: 'c', scopes }, one.operator);
      return { clientId: made.client?.clientId ?? '', clientSecret: made.clientSecret };
    },
  };
  return { stage, close: async () => void (await Promise.all([one.close(), two.close()])) };
}

/**
 * To be called in a `describe`: sets a stage for each of its tests (`test`), or one for all of them (`suite`), and clears
 * it away. What is returned is the stage of the test that runs.
 */
export function useStage(
  each: 'test' | 'suite' = 'test',
  change: () => StageChange = () => ({}),
): StageInUse {
  let dynamo: TestDynamo | null = null;
  let current: Stage | null = null;
  const closing: (() => Promise<void>)[] = [];

  async function set(given: StageChange): Promise<Stage> {
    if (dynamo === null) throw new Error('A stage is set while tests run, not before');
    const { stage, close } = await setStage(dynamo, given);
    closing.push(close);
    return stage;
  }
  const [begin, end] = each === 'test' ? [beforeEach, afterEach] : [before, after];
  before(async () => {
    dynamo = await startTestDynamo();
  });
  begin(async () => {
    current = await set(change());
  });
  end(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
  });
  after(() => dynamo?.close());

  const now = (): Stage => {
    if (current === null) throw new Error('A stage is there while tests run, not before');
    return current;
  };
  return {
    get one() {
      return now().one;
    },
    get two() {
      return now().two;
    },
    get table() {
      return now().table;
    },
    get clock() {
      return now().clock;
    },
    get tenantId() {
      return now().tenantId;
    },
    get user() {
      return now().user;
    },
    kept: () => now().kept(),
    newClient: (scopes) => now().newClient(scopes),
    another: (given = {}) => set(given),
  };
}
