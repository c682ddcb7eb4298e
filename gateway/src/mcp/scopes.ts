import type { Scope } from '@penstock/common/token/principal.ts';

/** The scopes that tokens for MCP can have. */
export const MCP_SCOPES = Object.freeze(['query', 'schemas:read'] as const) satisfies readonly Scope[];

/** What each tool asks for. */
export const TOOL_SCOPES = Object.freeze({
  run_sql: 'query',
  list_tables: 'schemas:read',
  describe_table: 'schemas:read',
} as const) satisfies Readonly<Record<string, (typeof MCP_SCOPES)[number]>>;

export type ToolName = keyof typeof TOOL_SCOPES;

/**
 * The scopes that these tools need together with those already granted: a client asks for just what the challenge
 * names, and would lose the others (MCP 2025-11-25, "Runtime Insufficient Scope Errors").
 */
export function scopesFor(tools: readonly ToolName[], granted: readonly Scope[]): readonly Scope[] {
  const wanted = new Set<Scope>([...granted, ...tools.map((tool) => TOOL_SCOPES[tool])]);
  return MCP_SCOPES.filter((scope) => wanted.has(scope));
}

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOL_SCOPES, name);
}
