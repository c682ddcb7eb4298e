import { expect } from 'chai';
import { pino } from 'pino';
import { createRoleSessions, type RoleSessions } from '../../src/aws/assumed-role.ts';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { credentialsAnswer, startFakeAws, stsError, type FakeAws } from './fake-aws.ts';

const access = {
  roleArn: 'arn:aws:iam::111122223333:role/reader',
  externalId: 'ext-1',
  region: 'eu-west-1',
  tableAllowlist: ['orders'],
};
const minuteMs = 60_000;

describe('role sessions', () => {
  let aws: FakeAws;
  let sessions: RoleSessions;
  let nowMs: number;

  beforeEach(async () => {
    aws = await startFakeAws();
    nowMs = Date.now();
    aws.onAssume = (_call, count) => credentialsAnswer(`ASIA${count}`, nowMs + 60 * minuteMs);
    sessions = createRoleSessions({
      stsEndpoint: aws.endpoint,
      region: 'us-east-1',
      logger: pino({ enabled: false }),
      clock: { now: () => nowMs },
      credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
    });
  });
  afterEach(async () => {
    sessions.close();
    await aws.close();
  });

  const failure = async (promise: Promise<unknown>): Promise<PenstockError> => {
    const error: unknown = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(PenstockError);
    return error as PenstockError;
  };

  it('assumes the role with external ID, session name and policy, once for all who ask at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => sessions.credentials('t1', access, 'r1')));
    expect(new Set(all.map((credentials) => credentials.accessKeyId))).to.deep.equal(new Set(['ASIA1']));
    expect(aws.assumed).to.have.length(1);
    const call = aws.assumed[0];
    expect(call?.get('RoleArn')).to.equal(access.roleArn);
    expect(call?.get('ExternalId')).to.equal('ext-1');
    expect(call?.get('RoleSessionName')).to.equal('t1.r1');
    expect(call?.get('Policy')).to.include('table/orders');
  });

  it('keeps them for later requests, but never for another tenant, external ID, region or allowlist', async () => {
    await sessions.credentials('t1', access, 'r1');
    await sessions.credentials('t1', { ...access }, 'r2');
    expect(aws.assumed).to.have.length(1);
    await sessions.credentials('t2', access, 'r3');
    await sessions.credentials('t1', { ...access, externalId: 'ext-2' }, 'r4');
    await sessions.credentials('t1', { ...access, region: 'eu-west-2' }, 'r5');
    await sessions.credentials('t1', { ...access, tableAllowlist: [] }, 'r6');
    expect(aws.assumed).to.have.length(5);
  });

  it('renews in the background when less than five minutes are left, and hands out the old ones meanwhile', async () => {
    await sessions.credentials('t1', access, 'r1');
    nowMs += 56 * minuteMs;
    expect((await sessions.credentials('t1', access, 'r2')).accessKeyId).to.equal('ASIA1');
    for (let tries = 0; tries < 100 && aws.assumed.length < 2; tries++) await pause(10);
    for (let tries = 0; tries < 100; tries++) {
      if ((await sessions.credentials('t1', access, 'r3')).accessKeyId === 'ASIA2') break;
      await pause(10);
    }
    expect((await sessions.credentials('t1', access, 'r3')).accessKeyId).to.equal('ASIA2');
    expect(aws.assumed).to.have.length(2);
  });

  it('goes on with valid credentials when the renewal fails', async () => {
    await sessions.credentials('t1', access, 'r1');
    nowMs += 56 * minuteMs;
    aws.onAssume = () => stsError(403, 'AccessDenied', 'no more');
    expect((await sessions.credentials('t1', access, 'r2')).accessKeyId).to.equal('ASIA1');
    for (let tries = 0; tries < 100 && aws.assumed.length < 2; tries++) await pause(10);
    await pause(20);
    expect((await sessions.credentials('t1', access, 'r3')).accessKeyId).to.equal('ASIA1');
  });

  it('asks anew once they have ended, and after forget', async () => {
    await sessions.credentials('t1', access, 'r1');
    nowMs += 61 * minuteMs;
    expect((await sessions.credentials('t1', access, 'r2')).accessKeyId).to.equal('ASIA2');
    sessions.forget('t1', access);
    expect((await sessions.credentials('t1', access, 'r3')).accessKeyId).to.equal('ASIA3');
  });

  it('never keeps what assumeOnce got', async () => {
    await sessions.assumeOnce('t1', access, 'r1');
    await sessions.assumeOnce('t1', access, 'r1');
    await sessions.credentials('t1', access, 'r1');
    expect(aws.assumed).to.have.length(3);
  });

  it('lets one waiter go without failing the others', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    aws.onAssume = async () => {
      await held;
      return credentialsAnswer('ASIA9', nowMs + 60 * minuteMs);
    };
    const controller = new AbortController();
    const first = sessions.credentials('t1', access, 'r1', controller.signal);
    const second = sessions.credentials('t1', access, 'r2');
    controller.abort();
    expect((await failure(first)).code).to.equal('CANCELLED');
    release();
    expect((await second).accessKeyId).to.equal('ASIA9');
  });

  it('tells a role that cannot be assumed, without its ARN, and asks again next time', async () => {
    aws.onAssume = () =>
      stsError(403, 'AccessDenied', `User is not authorized to perform: sts:AssumeRole on ${access.roleArn}`);
    const error = await failure(sessions.credentials('t1', access, 'r1'));
    expect(error.code).to.equal('ACCESS_DENIED');
    expect(error.message).to.equal(
      'Access denied: the role cannot be assumed (check that it exists, and its trust policy and external ID)',
    );
    expect(`${error.message} ${error.detail}`).to.include('external-ID').and.not.include('arn:');
    aws.onAssume = () => credentialsAnswer('ASIA2', nowMs + 60 * minuteMs);
    expect((await sessions.credentials('t1', access, 'r2')).accessKeyId).to.equal('ASIA2');
  });

  it('falls back to a policy of actions alone when STS calls the packed policy too large', async () => {
    aws.onAssume = (_call, count) =>
      count === 1
        ? stsError(400, 'PackedPolicyTooLarge', 'Packed size: 120%')
        : credentialsAnswer('ASIA2', nowMs + 60 * minuteMs);
    await sessions.credentials('t1', access, 'r1');
    expect(aws.assumed[1]?.get('Policy')).to.not.include('table/orders');
  });

  it('tells throttling and absence of STS apart from refusal', async () => {
    aws.onAssume = () => stsError(400, 'Throttling', 'Rate exceeded');
    expect((await failure(sessions.credentials('t1', access, 'r1'))).code).to.equal('THROTTLED');
    aws.onAssume = () => stsError(500, 'InternalFailure', 'oops');
    expect((await failure(sessions.credentials('t1', access, 'r1'))).code).to.equal('UNAVAILABLE');
  });

  it('counts lifetimes, not times of day: a clock hours off changes nothing', async () => {
    const theirNowMs = Date.now() - 3 * 60 * minuteMs;
    aws.onAssume = (_call, count) =>
      credentialsAnswer(`ASIA${count}`, theirNowMs + 60 * minuteMs, theirNowMs);
    const { expiration } = await sessions.credentials('t1', access, 'r1');
    expect(expiration.getTime() - nowMs).to.be.within(59 * minuteMs, 60 * minuteMs);
    await sessions.credentials('t1', access, 'r2');
    expect(aws.assumed).to.have.length(1);
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
