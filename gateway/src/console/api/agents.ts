import type { Timestamp } from './protocol.ts';

/** An MCP client that this user allowed, and whose access has not run out (12 hours after the sign-in). */
export interface Agent {
  readonly agentId: string;
  /** The client's own word, unverified; plain text. */
  readonly name: string;
  /** Host (and port) that its codes went to. */
  readonly redirectHost: string;
  readonly scopes: readonly ('query' | 'schemas:read')[];
  /** The latest time. */
  readonly allowedAt: Timestamp;
  readonly expiresAt: Timestamp;
}
