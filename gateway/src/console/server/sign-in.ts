/**
 * Signing in to the console: the hosted login's authorization code flow with PKCE (RFC 7636, RFC 9700), with this gateway
 * as the client. All that it keeps is 256 random bits in a cookie of the browser that began it; state and verifier are
 * made of them. A callback in another browser, a stolen one, one that was not asked for: none has the bits that fit.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../../clients/service-call.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Exchange } from '../../http/exchange.ts';
import { queryParameters } from '../../http/form-parameters.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { CONSOLE_RETURN_CHARS_MAX, CONSOLE_SIGN_IN_S, USER_AGENT_CHARS_MAX } from '../../limits.ts';
import { refuseMethodOnPage } from '../../login/error-pages.ts';
import { sendRedirect } from '../../login/send-page.ts';
import { CALLBACK_PATH, signInPath } from '../api/paths.ts';
import { CONSOLE_PATH } from '../api/protocol.ts';
import type { ConsoleCookies } from './cookies.ts';
import { answeringSignInProblems, SignInProblem } from './sign-in-problem.ts';

/** As auth knows the console (`console-client.ts`). */
const CONSOLE_CLIENT_ID = 'penstock-console';

const SECRET_BYTES = 32;
const made = (what: string, secret: string): string =>
  createHash('sha256').update(`${what}:${secret}`).digest('base64url');

function equal(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A path of the console: nothing that leads elsewhere. */
function placeOf(asked: string | undefined): string {
  if (asked === undefined || asked.length > CONSOLE_RETURN_CHARS_MAX) return CONSOLE_PATH;
  const isOurs = /^\/console(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/.test(asked);
  const [path = ''] = asked.split('?');
  // A browser would make another path of `..`, and another host of what follows two slashes.
  const isPlain = !path.includes('//') && new URL(path, 'http://console.invalid').pathname === path;
  return isOurs && isPlain ? asked : CONSOLE_PATH;
}

/** A sign-in under way, as its cookie has it. */
interface UnderWay {
  readonly secret: string;
  readonly place: string;
}

const toCookie = ({ secret, place }: UnderWay): string =>
  `${secret}.${Buffer.from(place).toString('base64url')}`;

function fromCookie(text: string | null): UnderWay | null {
  const [, secret, place] = /^([\w-]{43})\.([\w-]*)$/.exec(text ?? '') ?? [];
  if (secret === undefined || place === undefined) return null;
  return { secret, place: placeOf(Buffer.from(place, 'base64url').toString()) };
}

interface SignInOptions {
  readonly rpc: GatewayClients['consoleSessions'];
  readonly cookies: ConsoleCookies;
  readonly wrongTokens: WrongTries;
  readonly consoleUrl: string;
  readonly mcpUrl: string;
}

export function signInEndpoints(options: SignInOptions): readonly Endpoint[] {
  const { rpc, cookies, wrongTokens, consoleUrl, mcpUrl } = options;
  const { origin, host } = new URL(consoleUrl);
  const redirectUri = `${origin}${CALLBACK_PATH}`;

  const begin = async (exchange: Exchange): Promise<void> => {
    const query = queryParameters(exchange);
    const place = placeOf(query.get('return'));
    const fresh = query.get('fresh') === '1';
    // The hosted login sends the browser to the console's own host, where a cookie of another one is not sent. Once: a
    // proxy may give this host another name.
    if (exchange.request.headers.host !== host && query.get('moved') === undefined) {
      return sendRedirect(exchange, `${origin}${signInPath(place, { fresh })}&moved=1`);
    }
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    cookies.setSignIn(exchange, toCookie({ secret, place }), CONSOLE_SIGN_IN_S);
    const request = new URLSearchParams({
      response_type: 'code',
      client_id: CONSOLE_CLIENT_ID,
      redirect_uri: redirectUri,
      state: made('state', secret),
      code_challenge: createHash('sha256').update(made('verifier', secret)).digest('base64url'),
      code_challenge_method: 'S256',
      ...(fresh ? { prompt: 'login' } : {}),
    });
    sendRedirect(exchange, `${mcpUrl}/authorize?${request.toString()}`);
  };

  const complete = async (exchange: Exchange): Promise<void> => {
    const query = queryParameters(exchange);
    const underWay = fromCookie(cookies.signIn(exchange));
    if (underWay === null || !equal(query.get('state') ?? '', made('state', underWay.secret)))
      throw new SignInProblem('not-ours', underWay?.place ?? CONSOLE_PATH);
    // Whatever comes of it, it does so once.
    cookies.setSignIn(exchange, null, 0);
    const { place } = underWay;
    const [code, error, issuer] = [query.get('code'), query.get('error'), query.get('iss')];
    // An answer of another server must not be taken for this one's (RFC 9207).
    if (issuer !== mcpUrl) throw new SignInProblem('not-ours', place);
    if (code === undefined)
      throw new SignInProblem(error === 'access_denied' ? 'cancelled' : 'failed', place);
    const { request } = exchange;
    const sent = {
      code,
      codeVerifier: made('verifier', underWay.secret),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARS_MAX),
      remoteAddress: request.ip ?? '',
      previousSessionToken: cookies.session(exchange) ?? '',
    };
    const call = onBehalfOf(exchange, null);
    const session = await wrongTokens
      .attempt(exchange, () => answered(rpc.beginSession(sent, call)), { code: 'UNAUTHORIZED' })
      .catch((cause: unknown) => {
        const isRefused = cause instanceof PenstockError && cause.code === 'UNAUTHORIZED';
        throw isRefused ? new SignInProblem('expired', place) : cause;
      });
    cookies.setSession(
      exchange,
      session.sessionToken,
      Number(session.expiresAt) - Math.floor(Date.now() / 1000),
    );
    sendRedirect(exchange, place);
  };

  return [
    { method: 'get', path: `${CONSOLE_PATH}/sign-in`, handle: answeringSignInProblems(begin) },
    { method: 'get', path: CALLBACK_PATH, handle: answeringSignInProblems(complete) },
  ].map((endpoint) => ({ ...endpoint, method: 'get' as const, refuseMethod: refuseMethodOnPage }));
}
