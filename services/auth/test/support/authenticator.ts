import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** A passkey in software: what navigator.credentials would answer, for what a browser is made to say. */
export interface Authenticator {
  readonly credentialId: string;
  create(optionsJson: string, change?: AnswerChange): string;
  get(optionsJson: string, change?: AnswerChange): string;
}

export interface AnswerChange {
  readonly origin?: string;
  readonly rpId?: string;
  readonly userVerified?: boolean;
  readonly counter?: number;
  readonly challenge?: string;
  readonly userHandle?: string;
}

interface Options {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** COSE_Key of a P-256 key (RFC 9053, section 7.1.1). */
function coseKey(publicKey: KeyObject): Uint8Array {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]);
  return isoCBOR.encode(key);
}

export function newAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const credentialId = id.toString('base64url');
  let counter = 0;
  let userHandle = '';

  function authenticatorData(change: AnswerChange, attested: Buffer | null): Buffer {
    const flags = 0x01 | (change.userVerified === false ? 0 : 0x04) | (attested === null ? 0 : 0x40);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(change.counter ?? counter);
    const rpIdHash = sha256(change.rpId ?? new URL(origin).hostname);
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
  }
  const clientData = (type: string, challenge: string, change: AnswerChange): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: change.challenge ?? challenge,
        origin: change.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const answer = (response: object): string =>
    JSON.stringify({
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });

  return {
    credentialId,
    create(optionsJson, change = {}) {
      const { challenge, user } = JSON.parse(optionsJson) as Options;
      userHandle = user?.id ?? '';
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
      const object = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authenticatorData(change, attested))],
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, change).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(object)).toString('base64url'),
        transports: ['internal'],
      });
    },
    get(optionsJson, change = {}) {
      const { challenge } = JSON.parse(optionsJson) as Options;
      counter += 1;
      const data = authenticatorData(change, null);
      const client = clientData('webauthn.get', challenge, change);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: change.userHandle ?? userHandle,
      });
    },
  };
}
