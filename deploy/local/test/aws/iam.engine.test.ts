import { expect } from 'chai';
import { IamError } from './support/iam-client.ts';
import {
  allow,
  CUSTOMER_ACCOUNT,
  rejection,
  startLocalAws,
  trustPolicy,
  type LocalAws,
} from './support/local-aws.ts';

describe('IAM roles', () => {
  let aws: LocalAws;
  let iam: ReturnType<LocalAws['iam']>;
  before(async () => {
    aws = await startLocalAws();
    iam = aws.iam(CUSTOMER_ACCOUNT);
  });
  after(() => aws.remove());

  async function refused(action: string, parameters: Record<string, string>): Promise<string> {
    const error = await rejection(iam(action, parameters));
    if (!(error instanceof IamError)) throw error;
    return `${error.status} ${error.code}`;
  }

  it('creates a role, shows it and deletes it', async () => {
    const made = await iam('CreateRole', {
      RoleName: 'one',
      Path: '/a/b/',
      AssumeRolePolicyDocument: trustPolicy(),
      Description: 'reads <all> & "more"',
    });
    expect(made).to.contain(`<Arn>arn:aws:iam::${CUSTOMER_ACCOUNT}:role/a/b/one</Arn>`);
    expect(made).to.contain('reads &#60;all&#62; &#38; &#34;more&#34;');
    const shown = await iam('GetRole', { RoleName: 'one' });
    expect(shown).to.contain('<MaxSessionDuration>3600</MaxSessionDuration>');
    expect(shown).to.contain(
      `<AssumeRolePolicyDocument>${encodeURIComponent(trustPolicy())}</AssumeRolePolicyDocument>`,
    );
    await iam('DeleteRole', { RoleName: 'one' });
    expect(await refused('GetRole', { RoleName: 'one' })).to.equal('404 NoSuchEntity');
  });

  it('keeps inline policies by name', async () => {
    await iam('CreateRole', { RoleName: 'two', AssumeRolePolicyDocument: trustPolicy() });
    await iam('PutRolePolicy', {
      RoleName: 'two',
      PolicyName: 'p1',
      PolicyDocument: allow(['dynamodb:Scan']),
    });
    await iam('PutRolePolicy', {
      RoleName: 'two',
      PolicyName: 'p2',
      PolicyDocument: allow(['dynamodb:Query']),
    });
    expect(await iam('ListRolePolicies', { RoleName: 'two' })).to.contain(
      '<PolicyNames><member>p1</member><member>p2</member></PolicyNames>',
    );
    expect(await iam('GetRolePolicy', { RoleName: 'two', PolicyName: 'p2' })).to.contain(
      encodeURIComponent('dynamodb:Query'),
    );
    expect(await refused('DeleteRole', { RoleName: 'two' })).to.equal('409 DeleteConflict');
    await iam('DeleteRolePolicy', { RoleName: 'two', PolicyName: 'p1' });
    expect(await refused('DeleteRolePolicy', { RoleName: 'two', PolicyName: 'p1' })).to.equal(
      '404 NoSuchEntity',
    );
  });

  it('answers mistakes with the codes of IAM', async () => {
    await iam('CreateRole', { RoleName: 'three', AssumeRolePolicyDocument: trustPolicy() });
    const create = (parameters: Record<string, string>) =>
      refused('CreateRole', { RoleName: 'four', AssumeRolePolicyDocument: trustPolicy(), ...parameters });
    expect(await create({ RoleName: 'THREE' })).to.equal('409 EntityAlreadyExists');
    expect(await create({ RoleName: 'not allowed' })).to.equal('400 ValidationError');
    expect(await create({ MaxSessionDuration: '3599' })).to.equal('400 ValidationError');
    expect(await create({ Path: 'no-slash' })).to.equal('400 ValidationError');
    expect(await create({ AssumeRolePolicyDocument: 'nonsense' })).to.equal('400 MalformedPolicyDocument');
    expect(await create({ AssumeRolePolicyDocument: allow(['sts:AssumeRole']) })).to.equal(
      '400 MalformedPolicyDocument',
    );
    expect(await create({ AssumeRolePolicyDocument: trustPolicy({ StringSounds: { a: 'b' } }) })).to.equal(
      '400 MalformedPolicyDocument',
    );
    const long = trustPolicy({ StringEquals: { 'sts:ExternalId': 'x'.repeat(2048) } });
    expect(await create({ AssumeRolePolicyDocument: long })).to.equal('409 LimitExceeded');
  });

  it('refuses unknown actions and other versions', async () => {
    expect(await refused('CreateUser', { UserName: 'u' })).to.equal('400 InvalidAction');
    expect(await refused('GetRole', { RoleName: 'three', Version: '2000-01-01' })).to.equal(
      '400 InvalidAction',
    );
  });

  it('keeps the roles of accounts apart', async () => {
    const other = aws.iam('444455556666');
    const error = await rejection(other('GetRole', { RoleName: 'three' }));
    expect(error.code).to.equal('NoSuchEntity');
  });
});
