import type { Timestamp } from './protocol.ts';

export type Role = 'admin' | 'member';

/** As in the REST API. */
export type Scope = 'query' | 'schemas:read' | 'schemas:write' | 'usage:read';

/** Who is signed in. Ask again now and then (each 5 minutes, and when the tab is shown): it also renews the session. */
export interface ConsoleSession {
  readonly sessionId: string;
  readonly user: {
    readonly userId: string;
    readonly email: string;
    readonly role: Role;
  };
  readonly tenant: {
    readonly tenantId: string;
    /** Chosen by people; plain text. */
    readonly name: string;
  };
  /** What `/v1` allows. */
  readonly scopes: readonly Scope[];
  readonly signedInAt: Timestamp;
  /** Moves on while the session is used. */
  readonly expiresAt: Timestamp;
  readonly urls: {
    /** For API clients: `https://penstock.example.com`. */
    readonly base: string;
    /** For agents: `https://mcp.example.com/mcp`. */
    readonly mcp: string;
  };
  readonly limits: ConsoleLimits;
}

/** What the page has to know of bounds. */
export interface ConsoleLimits {
  /** UTF-8. */
  readonly sqlBytesMax: number;
  /** Of `options.maxRows`. */
  readonly rowsPerPageMax: number;
  readonly timeoutMsMax: number;
  readonly allowlistTablesMax: number;
  readonly usageRangeDaysMax: number;
  readonly nameCharsMax: number;
  readonly clientsMax: number;
  readonly peopleMax: number;
  readonly savedQueriesMax: number;
  readonly savedQueryNameCharsMax: number;
  readonly unitsOfBudgetMax: number;
}

export interface SignedOut {
  readonly signedOut: true;
}

export interface Deleted {
  readonly deleted: true;
}
