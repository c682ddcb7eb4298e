/**
 * The claims of our tokens: written by auth, read by every other process.
 *
 * REST access tokens and the internal tokens of MCP calls and of the console differ in `typ` and `aud`, so that none
 * passes for another (RFC 9068, section 2.1; RFC 8725, section 3.11).
 */
import { z } from 'zod';
import { isScope, type Principal, type Scope } from './principal.ts';

export const SIGNING_ALGORITHM = 'ES256';

/**
 * How the kinds of token differ. The internal token of an MCP call serves that call; its lifetime allows for a server
 * whose clock is a minute ahead, until the call's end. That of the console serves what a session asks for, a whole
 * result too, which may take an hour. Internal tokens never leave the services' network.
 */
export const TOKEN_KINDS = Object.freeze({
  rest: Object.freeze({ typ: 'at+jwt', audience: 'penstock', lifetimeS: 3600 }),
  mcp: Object.freeze({ typ: 'penstock-internal+jwt', audience: 'penstock-internal', lifetimeS: 180 }),
  console: Object.freeze({
    typ: 'penstock-console+jwt',
    audience: 'penstock-console',
    lifetimeS: 3600,
  }),
});

export type TokenKind = keyof typeof TOKEN_KINDS;

/** The kind that a `typ` header names, or undefined. */
export function tokenKindOfTyp(typ: string | undefined): TokenKind | undefined {
  return (Object.keys(TOKEN_KINDS) as TokenKind[]).find((kind) => TOKEN_KINDS[kind].typ === typ);
}

/** Claims beside the registered ones (`iss`, `aud`, `jti`, `iat`, `exp`), which jose writes and checks. */
export const principalClaimsSchema = z.object({
  sub: z.string().min(1),
  tenantId: z.string().min(1),
  /** Space-delimited (RFC 8693, section 4.2). */
  scope: z.string(),
  principal_type: z.enum(['client', 'user']),
  role: z.enum(['admin', 'member']).optional(),
  /** Generation: see Principal. */
  gen: z.int().nonnegative(),
  rps: z.number().positive().optional(),
  burst: z.number().positive().optional(),
  /** When the user signed in (OpenID Connect Core, section 2). */
  auth_time: z.int().nonnegative().optional(),
});

type PrincipalClaims = z.infer<typeof principalClaimsSchema>;

/** Scopes of a space-delimited list; unknown ones are dropped, since no endpoint asks for them. */
function scopesFromText(text: string): readonly Scope[] {
  return Object.freeze(text.split(' ').filter(isScope));
}

export function principalFromClaims(claims: PrincipalClaims, tokenType: TokenKind): Principal {
  const { rps, burst } = claims;
  return Object.freeze({
    tenantId: claims.tenantId,
    principalId: claims.sub,
    principalType: claims.principal_type,
    scopes: scopesFromText(claims.scope),
    role: claims.role ?? null,
    generation: claims.gen,
    rateLimit: rps === undefined || burst === undefined ? null : Object.freeze({ rps, burst }),
    ...(claims.auth_time === undefined ? {} : { signedInAtS: claims.auth_time }),
    tokenType,
  });
}

/** The claims to sign for a principal. */
export function claimsOfPrincipal(principal: Omit<Principal, 'tokenType'>): PrincipalClaims {
  return {
    sub: principal.principalId,
    tenantId: principal.tenantId,
    scope: principal.scopes.join(' '),
    principal_type: principal.principalType,
    ...(principal.role === null ? {} : { role: principal.role }),
    gen: principal.generation,
    ...(principal.rateLimit ?? {}),
    ...(principal.signedInAtS === undefined ? {} : { auth_time: principal.signedInAtS }),
  };
}
