import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Client } from '@connectrpc/connect';
import {
  ScramService,
  type GetScramParametersResponse,
} from '@penstock/common/gen/penstock/auth/v1/scram_pb.js';
import { createRpcClient } from '@penstock/common/rpc/client.ts';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { failureOf, startReplica, type TestReplica } from '../support/auth-server.ts';
import { movableClock } from '../support/clock.ts';
import { startTestDynamo, type TestDynamo } from '../support/dynamodb.ts';

const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const MESSAGE = 'n=,r=abc,r=abcdef,s=c2FsdA==,i=4096,c=biws,r=abcdef';

/** What a client computes: RFC 5802, section 3. */
function proofOf(secret: string, { salt, iterations }: GetScramParametersResponse) {
  const salted = pbkdf2Sync(secret, salt, iterations, 32, 'sha256');
  const clientKey = hmac(salted, 'Client Key');
  const signature = hmac(createHash('sha256').update(clientKey).digest(), MESSAGE);
  return {
    clientProof: Buffer.from(clientKey.map((byte, i) => byte ^ (signature[i] ?? 0))),
    serverSignature: hmac(hmac(salted, 'Server Key'), MESSAGE),
  };
}

describe('ScramService', function () {
  this.timeout(90_000);
  let dynamo: TestDynamo;
  let replica: TestReplica;
  let tableName: string;
  let scram: Client<typeof ScramService>;
  let closeClient: () => void;
  let client: { readonly clientId: string; readonly clientSecret: string };

  const prove = async (clientId: string, secret: string) => {
    const { clientProof } = proofOf(secret, await scram.getScramParameters({ clientId }));
    return scram.issueTokenByProof({ clientId, authMessage: MESSAGE, clientProof });
  };

  before(async () => {
    dynamo = await startTestDynamo();
    const clock = movableClock();
    const table = await dynamo.table(clock);
    ({ tableName } = table);
    replica = await startReplica({
      table,
      clock,
      keyEncryptionKeys: [randomBytes(32)],
    });
    const connected = createRpcClient(ScramService, { target: replica.target, defaultTimeoutMs: 5000 });
    scram = connected.client;
    closeClient = connected.close;
    const { tenantId } = await replica.admin.createTenant({ name: 'Acme' }, replica.operator);
    const made = await replica.admin.createClient({ tenantId, name: 'c', scopes: [] }, replica.operator);
    client = { clientId: made.client?.clientId ?? '', clientSecret: made.clientSecret };
  });
  after(async () => {
    closeClient();
    await replica.close();
    await dynamo.close();
  });

  it('gives a token for a proof, and a proof of its own', async () => {
    const parameters = await scram.getScramParameters({ clientId: client.clientId });
    expect(parameters).to.include({ iterations: 4096, hasVerifier: true });
    const { clientProof, serverSignature } = proofOf(client.clientSecret, parameters);
    const answer = await scram.issueTokenByProof({
      clientId: client.clientId,
      authMessage: MESSAGE,
      clientProof,
    });
    expect(Buffer.from(answer.serverSignature).equals(serverSignature)).to.equal(true);
    expect(decodeJwt(answer.accessToken).sub).to.equal(client.clientId);
    const refreshed = await replica.tokens.refreshToken({ refreshToken: answer.refreshToken });
    expect(refreshed.accessToken).to.be.a('string');
  });

  it('keeps nothing of a sign-in', async () => {
    for (let i = 0; i < 5; i++) await prove(client.clientId, client.clientSecret);
    expect(await dynamo.dump(tableName)).to.not.include('REFRESH#');
  });

  it('says the same of a wrong proof and of a client that nobody has', async () => {
    const wrong = await failureOf(prove(client.clientId, 'pst_cs_wrong'));
    const unknown = await failureOf(prove('cli_nobody', client.clientSecret));
    expect(wrong.code).to.equal('UNAUTHORIZED');
    expect([unknown.code, unknown.message]).to.deep.equal([wrong.code, wrong.message]);
  });

  it('salts a client that nobody has as any other: differently from others, and the same each time', async () => {
    const one = await scram.getScramParameters({ clientId: 'cli_nobody' });
    const again = await scram.getScramParameters({ clientId: 'cli_nobody' });
    const other = await scram.getScramParameters({ clientId: 'cli_noone' });
    expect(one).to.include({ iterations: 4096, hasVerifier: true });
    expect(one.salt).to.have.length(16);
    expect(Buffer.from(one.salt).equals(again.salt)).to.equal(true);
    expect(Buffer.from(one.salt).equals(other.salt)).to.equal(false);
  });

  it('takes the proof of a rotated secret, and of the one before no more', async () => {
    const before = await prove(client.clientId, client.clientSecret);
    const rotated = await replica.admin.rotateClientSecret({ clientId: client.clientId }, replica.operator);
    const refused = await failureOf(prove(client.clientId, client.clientSecret));
    expect(refused.code).to.equal('UNAUTHORIZED');
    const after = await prove(client.clientId, rotated.clientSecret);
    expect(decodeJwt(after.accessToken)['gen']).to.equal(Number(decodeJwt(before.accessToken)['gen']) + 1);
    client = { ...client, clientSecret: rotated.clientSecret };
  });

  it('refuses a disabled client its proof', async () => {
    await replica.admin.disableClient({ clientId: client.clientId }, replica.operator);
    const refused = await failureOf(prove(client.clientId, client.clientSecret));
    expect([refused.code, refused.message]).to.deep.equal(['UNAUTHORIZED', 'Invalid client credentials']);
  });
});
