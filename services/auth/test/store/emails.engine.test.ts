import { expect } from 'chai';
import { createEmailStore } from '../../src/store/emails.ts';
import type { EmailStore } from '../../src/store/emails.ts';
import type { AuthTable } from '../../src/store/table.ts';
import { movableClock } from '../support/clock.ts';
import type { MovableClock } from '../support/clock.ts';
import { startTestDynamo } from '../support/dynamodb.ts';
import type { TestDynamo } from '../support/dynamodb.ts';

const nobody = async (_: string): Promise<string | null> => null;
const [acme, beta] = ['tnt_acme', 'tnt_beta'];
const address = 'a@x.example';

describe('e-mail addresses', function () {
  this.timeout(90_000);
  let dynamo: TestDynamo;
  let table: AuthTable;
  let clock: MovableClock;
  let emails: EmailStore;

  const claim = (userId: string, tenantId: string, tenantOf = nobody): Promise<boolean> =>
    emails.claim(address, { tenantId, userId }, tenantOf);
  const users = async (email = address): Promise<readonly string[]> =>
    [...(await emails.usersOf(email))].sort();

  before(async () => {
    dynamo = await startTestDynamo();
  });
  beforeEach(async () => {
    clock = movableClock();
    table = await dynamo.table(clock);
    emails = createEmailStore(table, clock);
    await claim('usr_1', acme);
  });
  after(() => dynamo.close());

  it('are found whatever their case', async () => {
    expect(await users('A@X.example')).to.deep.equal(['usr_1']);
    expect(await users('b@x.example')).to.deep.equal([]);
    // No key is so long.
    expect(await users(`${'a'.repeat(3_000)}@x.example`)).to.deep.equal([]);
  });

  it('stay with a user who exists', async () => {
    clock.forward(3600);
    expect(await claim('usr_2', acme, async () => acme)).to.equal(false);
  });

  it('stay with a user who may be being written', async () => {
    expect(await claim('usr_2', acme)).to.equal(false);
  });

  it('are free again when their user was never written', async () => {
    clock.forward(61);
    expect(await claim('usr_2', acme)).to.equal(true);
    expect(await users()).to.deep.equal(['usr_2']);
  });

  it('are each tenant’s own, of one user there, also of several made at once', async () => {
    const made = await Promise.all(['usr_2', 'usr_3', 'usr_4'].map((userId) => claim(userId, beta)));
    expect(made.filter(Boolean)).to.have.length(1);
    expect(await users()).to.have.length(2);
    expect(await claim('usr_5', acme)).to.equal(false);
    expect(await claim('usr_5', beta)).to.equal(false);
    clock.forward(61);
    const tenantOf = async (userId: string): Promise<string | null> => (userId === 'usr_1' ? acme : null);
    expect(await claim('usr_5', acme, tenantOf)).to.equal(false);
    expect(await claim('usr_5', beta, tenantOf)).to.equal(true);
    expect(await users()).to.deep.equal(['usr_1', 'usr_5']);
  });

  it('that a version wrote which kept one user of each belong to that user’s tenant', async () => {
    const key = { pk: 'EMAIL#old@x.example', sk: 'USER' };
    await table.put({ key, values: { userId: 'usr_old', claimedAtMs: clock.now() }, expiresAtS: null });
    const tenantOf = async (): Promise<string> => acme;
    const claimOld = (userId: string, tenantId: string): Promise<boolean> =>
      emails.claim('old@x.example', { tenantId, userId }, tenantOf);
    clock.forward(3600);
    expect(await claimOld('usr_6', acme)).to.equal(false);
    expect(await claimOld('usr_6', beta)).to.equal(true);
    expect(await users('old@x.example')).to.deep.equal(['usr_6', 'usr_old']);
  });
});
