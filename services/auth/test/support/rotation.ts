import { randomBytes } from 'node:crypto';
import { keyIdOf } from '../../src/keys/envelope.ts';
import { createPrincipalStore } from '../../src/store/principals.ts';
import type { PrincipalStore } from '../../src/store/principals.ts';
import { createSealingKeyStore } from '../../src/store/sealing-keys.ts';
import type { SealingKeyStore } from '../../src/store/sealing-keys.ts';
import type { AuthTable } from '../../src/store/table.ts';
import { userSchema } from '../../src/users/user.ts';
import type { User } from '../../src/users/user.ts';
import { startReplica } from './auth-server.ts';
import type { TestReplica } from './auth-server.ts';
import { movableClock } from './clock.ts';
import type { MovableClock } from './clock.ts';
import { startTestDynamo } from './dynamodb.ts';
import type { TestDynamo } from './dynamodb.ts';
import { authorized, newPkce, newUser, register } from './sign-in.ts';
import type { TestUser } from './sign-in.ts';

export const [oldKey, newKey] = [randomBytes(32), randomBytes(32)] as const;
export const [oldId, newId] = [keyIdOf(oldKey), keyIdOf(newKey)] as const;

/** A table that a replica with the old key alone has filled. */
interface Rotation {
  readonly table: AuthTable;
  readonly clock: MovableClock;
  /** With the old key alone. */
  readonly first: TestReplica;
  readonly tenantId: string;
  readonly user: TestUser;
  readonly users: PrincipalStore<User>;
  readonly keysInUse: SealingKeyStore;
  /** Another replica, of which the first key seals. */
  readonly start: (...keys: Uint8Array[]) => Promise<TestReplica>;
  /** Why it does not start; `none` where it does. */
  readonly failureOfStart: (...keys: Uint8Array[]) => Promise<string>;
  /** The user's one-time-code secret, as it is stored. */
  readonly sealedOf: (user: TestUser) => Promise<string>;
  readonly signsIn: (replica: TestReplica, user: TestUser) => Promise<boolean>;
  /** Everything in the table, as text. */
  readonly dump: () => Promise<string>;
}

async function setRotation(dynamo: TestDynamo, running: TestReplica[]): Promise<Rotation> {
  const clock = movableClock();
  const table = await dynamo.table(clock);
  const users = createPrincipalStore(table, 'USER', userSchema);
  const pkce = newPkce();
  async function start(...keys: Uint8Array[]): Promise<TestReplica> {
    const replica = await startReplica({ table, clock, keyEncryptionKeys: keys });
    running.push(replica);
    return replica;
  }
  const first = await start(oldKey);
  const { tenantId } = await first.admin.createTenant({ name: 'Acme' }, first.operator);
  return {
    table,
    clock,
    first,
    tenantId,
    user: await newUser(first, tenantId),
    users,
    keysInUse: createSealingKeyStore(table),
    start,
    failureOfStart: (...keys) =>
      start(...keys).then(
        () => 'none',
        (error: unknown) => String(error),
      ),
    sealedOf: async ({ userId }) => (await users.get(userId))?.sealedTotpSecret ?? '',
    async signsIn(replica, user) {
      const clientId = await register(replica);
      return authorized(replica, { clientId, pkce, user, clock }).then(
        () => true,
        () => false,
      );
    },
    dump: () => dynamo.dump(table.tableName),
  };
}

/** To be called in a `describe`: a new one for each of its tests. */
export function useRotation(): () => Rotation {
  let dynamo: TestDynamo;
  let current: Rotation;
  const running: TestReplica[] = [];
  before(async () => {
    dynamo = await startTestDynamo();
  });
  beforeEach(async () => {
    current = await setRotation(dynamo, running);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((replica) => replica.close()));
  });
  after(() => dynamo.close());
  return () => current;
}
