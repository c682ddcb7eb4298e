import { GetItemCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { expect } from 'chai';
import {
  allow,
  createAccessRole,
  createOrders,
  CUSTOMER_ACCOUNT,
  rejection,
  startLocalAws,
  type LocalAws,
} from './support/local-aws.ts';

describe('Signatures and credentials', () => {
  let aws: LocalAws;
  let advancedMs = 0;
  before(async () => {
    aws = await startLocalAws({ now: () => Date.now() + advancedMs });
    await createOrders(aws.dynamo(CUSTOMER_ACCOUNT));
    await createAccessRole(aws, allow(['dynamodb:GetItem']));
  });
  afterEach(() => (advancedMs = 0));
  after(() => aws.remove());

  const list = new ListTablesCommand({});
  const get = new GetItemCommand({ TableName: 'orders', Key: { pk: { S: 'a' }, sk: { N: '1' } } });

  it('refuses a wrong secret', async () => {
    const credentials = { accessKeyId: CUSTOMER_ACCOUNT, secretAccessKey: 'guess' };
    const dynamo = aws.dynamo(CUSTOMER_ACCOUNT, { credentials });
    expect((await rejection(dynamo.send(list))).name).to.equal('InvalidSignatureException');
    const sts = await rejection(aws.sts(credentials).send(new GetCallerIdentityCommand({})));
    expect(sts.name).to.equal('SignatureDoesNotMatch');
    expect(sts).to.have.nested.property('$metadata.httpStatusCode', 403);
  });

  it('refuses an unknown access key', async () => {
    const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'test' };
    const dynamo = aws.dynamo(CUSTOMER_ACCOUNT, { credentials });
    expect((await rejection(dynamo.send(list))).name).to.equal('UnrecognizedClientException');
    const sts = await rejection(aws.sts(credentials).send(new GetCallerIdentityCommand({})));
    expect(sts.name).to.equal('InvalidClientTokenId');
  });

  it('refuses a session token that is changed, or of other credentials', async () => {
    const [one, other] = [await aws.assume(), await aws.assume()];
    const changed = `A${one.sessionToken.slice(1)}` === one.sessionToken ? 'B' : 'A';
    for (const sessionToken of [`${changed}${one.sessionToken.slice(1)}`, other.sessionToken]) {
      const client = aws.dynamo(CUSTOMER_ACCOUNT, { credentials: { ...one, sessionToken } });
      expect((await rejection(client.send(get))).name).to.equal('UnrecognizedClientException');
    }
  });

  it('refuses a request whose body was changed on the way', async () => {
    const client = aws.dynamo(CUSTOMER_ACCOUNT);
    client.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { body: string; headers: Record<string, string> };
        request.body = '{"Limit":1}';
        request.headers['content-length'] = String(request.body.length);
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    expect((await rejection(client.send(list))).name).to.equal('InvalidSignatureException');
  });

  it('refuses expired credentials', async () => {
    const credentials = await aws.assume({ DurationSeconds: 900 });
    const client = aws.dynamo(CUSTOMER_ACCOUNT, { credentials });
    await client.send(get);
    advancedMs = 901_000;
    expect((await rejection(client.send(get))).name).to.equal('ExpiredTokenException');
    const sts = await rejection(aws.sts(credentials).send(new GetCallerIdentityCommand({})));
    expect(sts.name).to.equal('ExpiredToken');
  });

  for (const [what, ms, words] of [
    ['older', 301_000, 'Signature expired: '],
    ['newer', -301_000, 'Signature not yet current: '],
  ] as const)
    it(`refuses a signature ${what} than five minutes`, async () => {
      advancedMs = ms;
      const error = await rejection(aws.dynamo(CUSTOMER_ACCOUNT).send(list));
      expect(error.name).to.equal('InvalidSignatureException');
      expect(error.message).to.contain(words);
    });

  it('refuses requests without a signature', async () => {
    const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables' };
    const bare = await fetch(aws.url, { method: 'POST', headers, body: '{}' });
    expect(bare.status).to.equal(400);
    expect(await bare.text()).to.contain('MissingAuthenticationTokenException');
    const odd = await fetch(aws.url, {
      method: 'POST',
      headers: { ...headers, authorization: 'AWS4-HMAC-SHA256 x' },
    });
    expect(await odd.text()).to.contain('IncompleteSignatureException');
    const sts = await fetch(aws.url, { method: 'POST', body: 'Action=GetCallerIdentity&Version=2011-06-15' });
    expect(await sts.text()).to.contain('<Code>MissingAuthenticationToken</Code>');
  });
});
