import { expect } from 'chai';
import { pino } from 'pino';
import { createRoleSessions, type RoleSessions } from '../../src/aws/assumed-role.ts';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { identityAnswer, startFakeAws, stsError, type FakeAws } from './fake-aws.ts';

const OWN = '999988887777';
const access = (account: string) => ({
  roleArn: `arn:aws:iam::${account}:role/some/reader`,
  externalId: 'ext-1',
  region: 'eu-west-1',
  tableAllowlist: [],
});

describe('roles of the service’s own account', () => {
  let aws: FakeAws;
  let made: RoleSessions[];

  beforeEach(async () => {
    made = [];
    aws = await startFakeAws();
    aws.onIdentity = () => identityAnswer(OWN);
  });
  afterEach(async () => {
    for (const sessions of made) sessions.close();
    await aws.close();
  });

  function sessions(allowsOwnAccount = false): RoleSessions {
    const one = createRoleSessions({
      stsEndpoint: aws.endpoint,
      region: 'us-east-1',
      logger: pino({ enabled: false }),
      allowsOwnAccount,
      credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
    });
    made.push(one);
    return one;
  }

  async function refusal(work: Promise<unknown>): Promise<PenstockError> {
    const error: unknown = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(PenstockError);
    return error as PenstockError;
  }

  it('are never assumed, whoever asks for whom, with what reason', async () => {
    const one = sessions();
    const message = 'Access denied: the role belongs to the account of this service';
    for (const asked of [
      () => one.credentials('t1', access(OWN), 'r1'),
      () => one.assumeOnce('t1', access(OWN), 'r1'),
    ]) {
      const error = await refusal(asked());
      expect(error).to.include({ code: 'ACCESS_DENIED', message });
      expect(`${error.message} ${error.detail}`).to.not.match(/arn:|\d{12}/);
    }
    expect(await one.isAssumable({ tenantId: 't1', access: access(OWN), requestId: 'r1' })).to.equal(false);
    expect(aws.assumed).to.have.length(0);
  });

  it('are told from others by asking who we are once', async () => {
    const one = sessions();
    const others = Array.from({ length: 5 }, (_, i) => access(`11112222333${i}`));
    await Promise.all(others.map((other) => one.credentials('t1', other, 'r1')));
    expect(await one.isOwnRole(access(OWN).roleArn)).to.equal(true);
    expect(await one.isOwnRole(others[0]!.roleArn)).to.equal(false);
    expect([aws.identified, aws.assumed.length]).to.deep.equal([1, 5]);
  });

  it('are not taken for others while STS does not say who we are; then it is asked again', async () => {
    const one = sessions();
    // What the policy of a VPC endpoint answers; others are tried again by the SDK itself.
    aws.onIdentity = () => stsError(403, 'AccessDenied', 'no arn:aws:iam::999988887777:role/x');
    const error = await refusal(one.credentials('t1', access('111122223333'), 'r1'));
    expect(error).to.include({ code: 'UNAVAILABLE', retryAfterS: 1 });
    expect(error.message).to.not.match(/arn:/);
    expect(aws.assumed).to.have.length(0);
    aws.onIdentity = () => identityAnswer(OWN);
    await one.credentials('t1', access('111122223333'), 'r2');
    expect(aws.assumed).to.have.length(1);
  });

  it('are assumed where service and tenants share an account on purpose, and nobody is asked who we are', async () => {
    const one = sessions(true);
    await one.credentials('t1', access(OWN), 'r1');
    expect(await one.isOwnRole(access(OWN).roleArn)).to.equal(false);
    expect([aws.identified, aws.assumed.length]).to.deep.equal([0, 1]);
  });
});
