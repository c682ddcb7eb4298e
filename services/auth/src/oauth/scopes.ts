import type { Scope } from '@penstock/common/token/principal.ts';

/** The scopes that tokens for MCP can have. */
export const MCP_SCOPES = Object.freeze(['query', 'schemas:read'] as const satisfies readonly Scope[]);

export type McpScope = (typeof MCP_SCOPES)[number];

/** The MCP scopes among the given ones, each once and in one order; all others are ignored. */
export function mcpScopesAmong(scopes: readonly string[]): McpScope[] {
  return MCP_SCOPES.filter((scope) => scopes.includes(scope));
}

/** The MCP scopes that a `scope` parameter asks for; empty where it asks for none, which means all allowed. */
export function requestedScopes(parameter: string | undefined): McpScope[] {
  return mcpScopesAmong((parameter ?? '').split(' '));
}
