import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { createRequestSigner, type SigningCredentials } from '../../src/dynamodb/request-signer.ts';

const CONTENT_TYPE = 'application/x-amz-json-1.0';
const TARGET = 'DynamoDB_20120810.GetItem';
const NOON = new Date('2026-11-26T12:00:01.234Z');

describe('the signer of raw reads', () => {
  const theirs = async (
    region: string,
    { host, hostname, protocol, port, pathname }: URL,
    body: string,
    credentials: SigningCredentials,
    at: Date,
  ): Promise<Record<string, string>> => {
    const { sessionToken, ...keys } = credentials;
    const client = new DynamoDBClient({
      region,
      credentials: sessionToken === undefined ? keys : { ...keys, sessionToken },
    });
    const headers = {
      ...{ host, 'content-type': CONTENT_TYPE, 'content-length': String(Buffer.byteLength(body)) },
      'x-amz-target': TARGET,
    };
    const request = {
      ...{ method: 'POST', protocol, hostname, path: pathname, query: {}, headers, body },
      ...(port === '' ? {} : { port: Number(port) }),
    };
    try {
      return (await (await client.config.signer()).sign(request, { signingDate: at })).headers;
    } finally {
      client.destroy();
    }
  };
  const withToken = { accessKeyId: 'ASIA1', secretAccessKey: 'se/cr+et', sessionToken: 'to/k+en==' };

  for (const url of [
    'https://dynamodb.eu-west-1.amazonaws.com/',
    'http://127.0.0.1:8000/',
    'http://localhost:4566/some//path with/(odd)!~%41é/',
    'http://localhost:4566/some/path',
  ])
    it(`signs as the SDK does, for ${url}`, async () => {
      const ours = createRequestSigner('eu-west-1', new URL(url), CONTENT_TYPE);
      for (const body of ['{}', '{"Key":{"id":{"S":"é\\u0000🙂"}}}'])
        for (const credentials of [withToken, { accessKeyId: 'AKIA', secretAccessKey: 'é' }])
          expect(ours({ target: TARGET, body, at: NOON }, credentials)).to.deep.equal(
            await theirs('eu-west-1', new URL(url), body, credentials, NOON),
          );
    });

  it('takes another key when the day, or the secret, is another', async () => {
    const url = new URL('https://dynamodb.us-east-1.amazonaws.com/');
    const ours = createRequestSigner('us-east-1', url, CONTENT_TYPE);
    const others = { ...withToken, secretAccessKey: 'another' };
    for (const at of [NOON, new Date('2026-11-27T00:00:00Z'), new Date('2026-11-26T23:59:59.999Z')])
      for (const credentials of [withToken, others, withToken])
        expect(ours({ target: TARGET, body: '{}', at }, credentials)).to.deep.equal(
          await theirs('us-east-1', url, '{}', credentials, at),
        );
  });
});
