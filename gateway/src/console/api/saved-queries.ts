import type { Timestamp } from './protocol.ts';

/** Shared by all people of the tenant: each sees all, and whoever may query changes all. */
export interface SavedQuery {
  readonly savedQueryId: string;
  /** Unique in the tenant, whatever the case: 409 `CONFLICT`. Plain text. */
  readonly name: string;
  readonly sql: string;
  /** Rises with each change. */
  readonly version: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** E-mail address of whoever changed it last. */
  readonly updatedBy: string;
}

/** 409 `LIMIT_REACHED` where the tenant has `savedQueriesMax`. */
export interface NewSavedQuery {
  readonly name: string;
  readonly sql: string;
}

/** At least one of `name` and `sql`. With `version`: 409 `CONFLICT` where somebody changed it meanwhile. */
export interface SavedQueryChange {
  readonly name?: string;
  readonly sql?: string;
  readonly version?: number;
}
