import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { z } from 'zod';
import type { Accounts } from '../oauth/accounts.ts';
import type { TokenOutcome, TokenRequest } from '../oauth/grant-tokens.ts';
import type { OAuthModelStore } from '../store/oauth-models.ts';
import type { User } from '../users/user.ts';
import { CONSOLE_CLIENT_ID } from './console-client.ts';

/** A code of the hosted login's, and the verifier whose challenge began the sign-in. */
interface SignInCode {
  readonly code: string;
  readonly codeVerifier: string;
  readonly remoteAddress: string;
}

/** Who signed in, and when. Throws `UNAUTHORIZED` where the code is not good, or not the console's. */
export type RedeemSignIn = (
  code: SignInCode,
) => Promise<{ readonly user: User; readonly signedInAtS: number }>;

const codeSchema = z.object({ accountId: z.string(), clientId: z.string(), authTime: z.number() });
const tokenSchema = z.object({ accountId: z.string(), clientId: z.string(), grantId: z.string() });

const refused = (): PenstockError =>
  new PenstockError('UNAUTHORIZED', 'This sign-in has expired or was used. Sign in again.');

/**
 * Redeems the console's codes by the rules of all codes: once, with PKCE, for the client and redirect URI that they were
 * asked for. The token that comes of it has told who signed in, and is let go.
 */
export function createRedeemSignIn(options: {
  readonly exchange: (request: TokenRequest) => Promise<TokenOutcome>;
  readonly models: OAuthModelStore;
  readonly accounts: Accounts;
  readonly redirectUri: string;
}): RedeemSignIn {
  const { models, accounts, redirectUri } = options;
  return async ({ code, codeVerifier, remoteAddress }) => {
    const asked = codeSchema.safeParse((await models.find('AuthorizationCode', code))?.payload).data;
    const outcome = await options.exchange({
      client: { clientId: CONSOLE_CLIENT_ID },
      grant: { kind: 'authorization_code', code, redirectUri, codeVerifier },
      resource: [],
      remoteAddress,
    });
    if (outcome.kind === 'error' || asked === undefined) throw refused();
    const { accessToken } = outcome.tokens;
    const token = tokenSchema.safeParse((await models.find('AccessToken', accessToken))?.payload).data;
    if (token === undefined || token.clientId !== CONSOLE_CLIENT_ID) throw refused();
    await Promise.all([models.destroy('Grant', token.grantId), models.destroy('AccessToken', accessToken)]);
    const user = await accounts.activeUser(token.accountId);
    if (user === null) throw refused();
    return { user, signedInAtS: asked.authTime };
  };
}
