import { expect } from 'chai';
import { createEmailStore } from '../../src/store/emails.ts';
import type { EmailStore } from '../../src/store/emails.ts';
import { movableClock } from '../support/clock.ts';
import type { MovableClock } from '../support/clock.ts';
import { startTestDynamo } from '../support/dynamodb.ts';
import type { TestDynamo } from '../support/dynamodb.ts';

const nobody = async (): Promise<boolean> => false;
const everybody = async (): Promise<boolean> => true;

describe('e-mail addresses', function () {
  this.timeout(90_000);
  let dynamo: TestDynamo;
  let clock: MovableClock;
  let emails: EmailStore;

  before(async () => {
    dynamo = await startTestDynamo();
  });
  beforeEach(async () => {
    clock = movableClock();
    emails = createEmailStore(await dynamo.table(clock), clock);
    await emails.claim('a@x.example', 'usr_1', nobody);
  });
  after(() => dynamo.close());

  it('are found whatever their case', async () => {
    expect(await emails.userOf('A@X.example')).to.equal('usr_1');
    expect(await emails.userOf('b@x.example')).to.equal(null);
  });

  it('stay with a user who exists', async () => {
    clock.forward(3600);
    expect(await emails.claim('a@x.example', 'usr_2', everybody)).to.equal(false);
  });

  it('stay with a user who may be being written', async () => {
    expect(await emails.claim('a@x.example', 'usr_2', nobody)).to.equal(false);
  });

  it('are free again when their user was never written', async () => {
    clock.forward(61);
    expect(await emails.claim('a@x.example', 'usr_2', nobody)).to.equal(true);
    expect(await emails.userOf('a@x.example')).to.equal('usr_2');
  });
});
