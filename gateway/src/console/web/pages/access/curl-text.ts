/** Commands that are ready to be run, with the client's own values in them. */
import type { Scope } from '../../../api/session.ts';

export interface ShownSecret {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly Scope[];
}

/** In single quotes, whatever it holds. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The first request that a client's scopes allow. */
function firstRequest(scopes: readonly Scope[], sql: string): string {
  if (scopes.includes('query')) {
    return `curl -s "$BASE/v1/query" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d ${quoted(JSON.stringify({ sql }))}`;
  }
  const path = scopes.includes('usage:read') ? '/v1/usage/summary' : '/v1/schemas';
  return `curl -s "$BASE${path}" -H "Authorization: Bearer $TOKEN"`;
}

/**
 * Gets a token and asks for something with it. Runs in any POSIX shell.
 * @param sql a query that fits the tenant's tables
 */
export function curlText({ baseUrl, clientId, clientSecret, scopes }: ShownSecret, sql: string): string {
  return `BASE=${quoted(baseUrl)}
TOKEN=$(curl -s "$BASE/v1/auth/token" -H 'Content-Type: application/json' \\
  -d ${quoted(JSON.stringify({ clientId, clientSecret }))} \\
  | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
${firstRequest(scopes, sql)}
`;
}
