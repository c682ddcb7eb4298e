import { AssumeRoleCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { expect } from 'chai';
import {
  allow,
  createAccessRole,
  CUSTOMER_ACCOUNT,
  rejection,
  ROLE_ARN,
  SERVICE_ACCOUNT,
  startLocalAws,
  trustPolicy,
  type LocalAws,
} from './support/local-aws.ts';

describe('AssumeRole', () => {
  let aws: LocalAws;
  before(async () => {
    aws = await startLocalAws();
    await createAccessRole(aws, allow(['dynamodb:GetItem']));
  });
  after(() => aws.remove());

  const setTrust = (policy: string) =>
    aws.iam(CUSTOMER_ACCOUNT)('UpdateAssumeRolePolicy', {
      RoleName: 'penstock-access',
      PolicyDocument: policy,
    });

  it('gives a session to a caller with the right external ID', async () => {
    const credentials = await aws.assume();
    const identity = await aws.sts(credentials).send(new GetCallerIdentityCommand({}));
    expect(identity.Account).to.equal(CUSTOMER_ACCOUNT);
    expect(identity.Arn).to.equal(`arn:aws:sts::${CUSTOMER_ACCOUNT}:assumed-role/penstock-access/session`);
    expect(identity.UserId).to.match(/^AROA[A-Z2-7]{17}:session$/);
  });

  for (const [what, externalId] of [
    ['a wrong', 'other-id'],
    ['no', undefined],
  ] as const)
    it(`refuses a caller with ${what} external ID`, async () => {
      const error = await rejection(aws.assume({ ExternalId: externalId }));
      expect(error.name).to.equal('AccessDenied');
      expect(error.message).to.equal(
        `User: arn:aws:iam::${SERVICE_ACCOUNT}:root is not authorized to perform: sts:AssumeRole on resource: ${ROLE_ARN}`,
      );
      expect(error).to.have.nested.property('$metadata.httpStatusCode', 403);
    });

  it('refuses a role that does not exist like one that does not trust the caller', async () => {
    const missing = `arn:aws:iam::${CUSTOMER_ACCOUNT}:role/missing`;
    const error = await rejection(aws.assume({ RoleArn: missing }));
    expect(error.name).to.equal('AccessDenied');
    expect(error.message).to.contain(`sts:AssumeRole on resource: ${missing}`);
  });

  it('refuses an account that the trust policy does not name', async () => {
    const stranger = aws.sts({ accessKeyId: '123412341234', secretAccessKey: 'test' });
    const error = await rejection(
      stranger.send(
        new AssumeRoleCommand({ RoleArn: ROLE_ARN, RoleSessionName: 'session', ExternalId: 'secret-id' }),
      ),
    );
    expect(error.name).to.equal('AccessDenied');
  });

  it('evaluates StringLike, StringNotEquals, StringEqualsIgnoreCase, IfExists and Null', async () => {
    const cases: [condition: unknown, externalId: string | undefined, allowed: boolean][] = [
      [{ StringLike: { 'sts:ExternalId': 'a-*' } }, 'a-1', true],
      [{ StringLike: { 'sts:ExternalId': 'a-*' } }, 'b-1', false],
      [{ StringNotEquals: { 'sts:ExternalId': 'a-1' } }, 'b-1', true],
      [{ StringNotEquals: { 'sts:ExternalId': 'a-1' } }, 'a-1', false],
      [{ StringEqualsIgnoreCase: { 'sts:externalid': ['A-1', 'A-2'] } }, 'a-2', true],
      [{ StringEqualsIfExists: { 'sts:ExternalId': 'a-1' } }, undefined, true],
      [{ StringEqualsIfExists: { 'sts:ExternalId': 'a-1' } }, 'b-1', false],
      [{ Null: { 'sts:ExternalId': 'true' } }, undefined, true],
      [{ Null: { 'sts:ExternalId': true } }, 'a-1', false],
      [{ NumericEquals: { 'sts:ExternalId': '11' } }, '11', false],
    ];
    for (const [condition, externalId, allowed] of cases) {
      await setTrust(trustPolicy(condition));
      const outcome = await aws.assume({ ExternalId: externalId }).then(
        () => true,
        (error: Error) => error.name !== 'AccessDenied',
      );
      expect(outcome, JSON.stringify([condition, externalId])).to.equal(allowed);
    }
    await setTrust(trustPolicy());
  });

  it('lets a Deny in the trust policy win', async () => {
    const { Statement } = JSON.parse(trustPolicy()) as { Statement: object[] };
    await setTrust(
      JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          ...Statement,
          {
            Effect: 'Deny',
            Principal: '*',
            Action: 'sts:*',
            Condition: { StringEquals: { 'sts:RoleSessionName': 'banned' } },
          },
        ],
      }),
    );
    expect((await rejection(aws.assume({ RoleSessionName: 'banned' }))).name).to.equal('AccessDenied');
    expect((await aws.assume()).accessKeyId).to.match(/^ASIA/);
    await setTrust(trustPolicy());
  });

  it('refuses parameters out of bounds', async () => {
    for (const wrong of [
      { RoleSessionName: 'a' },
      { RoleSessionName: 'no spaces' },
      { RoleArn: 'arn:aws:iam::1:role/too-short' },
      { ExternalId: 'bad id<&>' },
      { DurationSeconds: 899 },
      { DurationSeconds: 43_201 },
      { DurationSeconds: 3601 },
    ])
      expect((await rejection(aws.assume(wrong))).name, JSON.stringify(wrong)).to.equal('ValidationError');
  });

  it('shows a refused value as it was given, whatever it holds', async () => {
    const error = await rejection(aws.assume({ RoleSessionName: '<&">' }));
    expect(error.message).to.contain(`'<&">'`);
  });

  it('allows sessions as long as the role says, and an hour when a session assumes a role', async () => {
    const iam = aws.iam(CUSTOMER_ACCOUNT);
    await iam('CreateRole', {
      RoleName: 'long',
      AssumeRolePolicyDocument: trustPolicy()
        .replace('"AWS":"', () => `"AWS":["${CUSTOMER_ACCOUNT}","`)
        .replace(':root"', ':root"]'),
      MaxSessionDuration: '7200',
      Path: '/team/',
    });
    await iam('PutRolePolicy', {
      RoleName: 'long',
      PolicyName: 'chain',
      PolicyDocument: allow(['sts:AssumeRole']),
    });
    const RoleArn = `arn:aws:iam::${CUSTOMER_ACCOUNT}:role/team/long`;
    const long = await aws.assume({ RoleArn, DurationSeconds: 7200 });
    const chain = (seconds: number) =>
      aws.sts(long).send(
        new AssumeRoleCommand({
          RoleArn,
          RoleSessionName: 'chained',
          ExternalId: 'secret-id',
          DurationSeconds: seconds,
        }),
      );
    expect((await chain(3600)).AssumedRoleUser?.Arn).to.match(/long\/chained$/);
    expect((await rejection(chain(3601))).name).to.equal('ValidationError');
    const short = await aws.assume();
    const denied = aws
      .sts(short)
      .send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'chained', ExternalId: 'secret-id' }));
    expect((await rejection(denied)).name).to.equal('AccessDenied');
  });

  it('refuses a session policy that is none', async () => {
    const error = await rejection(aws.assume({ Policy: '{"Statement":[{"Effect":"Maybe"}]}' }));
    expect(error.name).to.equal('MalformedPolicyDocumentException');
  });
});
