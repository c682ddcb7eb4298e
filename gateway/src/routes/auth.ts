import { z } from 'zod';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import { sendData } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Guesses } from '../limiting/guesses.ts';
import { validate } from '../validation/describe-issue.ts';
import { readJsonBody } from '../validation/json-body.ts';

const CLIENT_ID_CHARS_MAX = 128;
const SECRET_CHARS_MAX = 512;

export const tokenRequestSchema = z.strictObject({
  clientId: z.string().min(1).max(CLIENT_ID_CHARS_MAX),
  clientSecret: z.string().min(1).max(SECRET_CHARS_MAX),
});

export const refreshRequestSchema = z.strictObject({
  refreshToken: z.string().min(1).max(SECRET_CHARS_MAX),
});

interface AuthRouteOptions {
  readonly tokens: GatewayClients['tokens'];
  readonly guesses: Guesses;
}

/** The two endpoints that need no bearer token. */
export function authEndpoints({ tokens, guesses }: AuthRouteOptions): readonly Endpoint[] {
  const issue = async (exchange: Exchange): Promise<void> => {
    const credentials = validate(tokenRequestSchema, (await readJsonBody(exchange)).value);
    const issueToken = () => answered(tokens.issueToken(credentials, onBehalfOf(exchange, null)));
    const isWrong = { code: 'UNAUTHORIZED', who: credentials.clientId } as const;
    const pair = await guesses.secrets.attempt(exchange, issueToken, isWrong);
    sendData(exchange.response, 200, {
      accessToken: pair.accessToken,
      refreshToken: pair.refreshToken,
      expiresIn: pair.expiresInS,
      tokenType: 'Bearer',
    });
  };

  const refresh = async (exchange: Exchange): Promise<void> => {
    const { refreshToken } = validate(refreshRequestSchema, (await readJsonBody(exchange)).value);
    const issued = await guesses.tokens.attempt(
      exchange,
      () => answered(tokens.refreshToken({ refreshToken }, onBehalfOf(exchange, null))),
      { code: 'UNAUTHORIZED' },
    );
    sendData(exchange.response, 200, { accessToken: issued.accessToken, expiresIn: issued.expiresInS });
  };

  return [
    { method: 'post', path: '/v1/auth/token', handle: issue },
    { method: 'post', path: '/v1/auth/refresh', handle: refresh },
  ];
}
