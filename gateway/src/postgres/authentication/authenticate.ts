/** Who is there: an API client, by its secret, proved or, under TLS and where nothing else is possible, sent. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import type { TokenVerifier } from '@penstock/common/token/verifier.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import type { PostgresClients } from '../../clients/postgres-clients.ts';
import { answered, onBehalfOf } from '../../clients/service-call.ts';
import type { Guesses } from '../../limiting/guesses.ts';
import { PgError } from '../errors/pg-error.ts';
import { toPgError } from '../errors/from-penstock.ts';
import type { TokenPair } from '../session/identity.ts';
import * as backend from '../wire/backend.ts';
import { decodeText, fieldsOf } from '../wire/fields.ts';
import { MECHANISM, readClientFinal, readClientFirst, serverFinal, serverFirst } from './scram.ts';

export interface AuthenticationParts {
  readonly tokens: GatewayClients['tokens'];
  readonly scram: PostgresClients['scram'];
  readonly verifier: TokenVerifier;
  readonly guesses: Guesses;
}

export interface Asking {
  readonly user: string;
  /** Where the client connects from. */
  readonly address: string;
  readonly isEncrypted: boolean;
  readonly signal: AbortSignal;
  readonly write: (bytes: Buffer) => void;
  /** The client's next answer. */
  readonly answer: () => Promise<Buffer>;
}

export interface Authenticated {
  readonly principal: Principal;
  readonly pair: TokenPair;
}

const USER_CHARS_MAX = 128;
const SECRET_CHARS_MAX = 512;

/** One text for an unknown client and a wrong secret. */
const wrong = (user: string): PgError =>
  new PgError({
    code: '28P01',
    message: `password authentication failed for user "${user}"`,
    severity: 'FATAL',
  });

function textOf(bytes: Buffer): string {
  const fields = fieldsOf(bytes);
  const text = fields.text();
  fields.end();
  return text;
}

/** SASLInitialResponse: the mechanism, and its first message. */
function initialResponse(bytes: Buffer): string {
  const fields = fieldsOf(bytes);
  const mechanism = fields.text();
  if (mechanism !== MECHANISM)
    throw new PgError({
      code: '08P01',
      message: 'client selected an invalid SASL authentication mechanism',
      severity: 'FATAL',
    });
  const length = fields.int32();
  const message = length < 0 ? Buffer.alloc(0) : fields.bytes(length);
  fields.end();
  return decodeText(message);
}

/** @throws PgError FATAL */
export async function authenticate(parts: AuthenticationParts, asking: Asking): Promise<Authenticated> {
  const { tokens, scram, verifier, guesses } = parts;
  const { user, address, signal, write, answer } = asking;
  const options = () => onBehalfOf({ requestId: uuidV7(), signal }, null);

  const byProof = async (
    salt: Uint8Array,
    iterations: number,
  ): Promise<TokenPair & { readonly serverSignature: Uint8Array }> => {
    write(backend.authenticationSasl([MECHANISM]));
    const client = readClientFirst(initialResponse(await answer()));
    const server = serverFirst(client, salt, iterations);
    write(backend.authenticationSaslContinue(server.message));
    const { authMessage, proof } = readClientFinal(decodeText(await answer()), client, server);
    const request = { clientId: user, authMessage, clientProof: proof };
    return answered(scram.issueTokenByProof(request, options()));
  };
  const bySecret = async (): Promise<TokenPair> => {
    write(backend.AUTHENTICATION_CLEARTEXT);
    const clientSecret = textOf(await answer());
    if (clientSecret === '' || clientSecret.length > SECRET_CHARS_MAX) throw wrong(user);
    return answered(tokens.issueToken({ clientId: user, clientSecret }, options()));
  };

  const prove = async (): Promise<TokenPair> => {
    const { salt, iterations, hasVerifier } = await answered(
      scram.getScramParameters({ clientId: user }, options()),
    );
    if (!hasVerifier && asking.isEncrypted) return bySecret();
    const { serverSignature, ...pair } = await byProof(salt, iterations);
    write(backend.authenticationSaslFinal(serverFinal(serverSignature)));
    return pair;
  };

  if (user === '' || user.length > USER_CHARS_MAX)
    throw new PgError({
      code: '28000',
      message: 'no PostgreSQL user name specified in startup packet',
      hint: 'the user is the client ID, the password its secret',
      severity: 'FATAL',
    });
  try {
    const from = { request: { ip: address } };
    const isWrong = { code: 'UNAUTHORIZED', who: user, asksBack: true } as const;
    const pair = await guesses.secrets.attempt(from, prove, isWrong);
    const principal = await verifier.verify(pair.accessToken);
    if (!principal.scopes.includes('query'))
      throw new PgError({
        code: '42501',
        message: `permission denied: client "${user}" lacks the scope query`,
        hint: 'an operator makes clients with scopes',
        severity: 'FATAL',
      });
    write(backend.AUTHENTICATION_OK);
    return { principal, pair };
  } catch (error) {
    if (error instanceof PenstockError && error.code === 'UNAUTHORIZED') throw wrong(user);
    throw new PgError({ ...toPgError(error).fields, severity: 'FATAL' }, { cause: error });
  }
}
