import type { Scope } from '@penstock/common/token/principal.ts';

/** The scopes of tokens for MCP (service-spec, "Authentication", 9). */
export const MCP_SCOPES = Object.freeze(['query', 'schemas:read'] as const) satisfies readonly Scope[];

/** What each tool asks for. */
export const TOOL_SCOPES = Object.freeze({
  run_sql: 'query',
  list_tables: 'schemas:read',
  describe_table: 'schemas:read',
} as const) satisfies Readonly<Record<string, (typeof MCP_SCOPES)[number]>>;

export type ToolName = keyof typeof TOOL_SCOPES;

/**
 * What a token must have for these tools, and what it has already: a client that asks for nothing else than the
 * challenge names would lose the rest (MCP 2025-11-25, "Runtime Insufficient Scope Errors").
 */
export function scopesFor(tools: readonly ToolName[], granted: readonly Scope[]): readonly Scope[] {
  const wanted = new Set<Scope>([...granted, ...tools.map((tool) => TOOL_SCOPES[tool])]);
  return MCP_SCOPES.filter((scope) => wanted.has(scope));
}

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOL_SCOPES, name);
}
