/** All scopes that there are. */
export const SCOPES = Object.freeze(['query', 'schemas:read', 'schemas:write', 'usage:read'] as const);

export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** Who is calling, as a verified token says. The only place a tenant ID is ever taken from. */
export interface Principal {
  readonly tenantId: string;
  /** The token's `sub`: an API client or a portal user. */
  readonly principalId: string;
  readonly principalType: 'client' | 'user';
  readonly scopes: readonly Scope[];
  /** Of a portal user; null for API clients. */
  readonly role: 'admin' | 'member' | null;
  /** Compared with the principal's minimum generation: tokens from before a revocation do not count. */
  readonly generation: number;
  /** The tenant's own limits, where it has any. */
  readonly rateLimit: { readonly rps: number; readonly burst: number } | null;
  /** When the user of a console session signed in, in seconds since 1970; absent for any other principal. */
  readonly signedInAtS?: number;
  /**
   * `rest`: an access token of the REST API. `mcp`: the internal token that auth gives for a verified MCP token;
   * `console`: for a session of the console.
   */
  readonly tokenType: 'rest' | 'mcp' | 'console';
}
