import type { Timestamp } from './protocol.ts';
import type { Scope } from './session.ts';

/** A machine account. */
export interface ApiClient {
  readonly clientId: string;
  /** Chosen by people; plain text. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly status: 'active' | 'disabled';
  readonly createdAt: Timestamp;
  /** When a token was last made for it, to the hour; null: never, or not known. */
  readonly lastUsedAt: Timestamp | null;
}

/** Without scopes: `query` and `schemas:read`. */
export interface NewClient {
  /** 1 to `nameCharsMax` characters. */
  readonly name: string;
  readonly scopes?: readonly Scope[];
}

/** The only answer that ever holds the secret. */
export interface ClientCredentials {
  readonly client: ApiClient;
  readonly clientSecret: string;
}
