import type { Timestamp } from './protocol.ts';

/** Shared by all people of the tenant: each sees all. Whoever saved one, and administrators, change it. */
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
  /** E-mail address of whoever saved it. */
  readonly createdBy: string;
}

/** A text that a saved query has or had. */
export interface SavedQueryText {
  /** Rises with each text. */
  readonly number: number;
  readonly sql: string;
  readonly savedAt: Timestamp;
  /** E-mail address. */
  readonly savedBy: string;
}

/** The query's present text and its last ten before, the latest first. Who may change it sees them. */
export interface SavedQueryTexts {
  readonly texts: readonly SavedQueryText[];
}

/** 409 `LIMIT_REACHED` where the tenant has `savedQueriesMax`. */
export interface NewSavedQuery {
  readonly name: string;
  readonly sql: string;
}

/**
 * At least one of `name` and `sql`. With `version`: 409 `CONFLICT` where somebody changed it meanwhile. 403
 * `TENANT_ADMIN_REQUIRED` where it is another's.
 */
export interface SavedQueryChange {
  readonly name?: string;
  readonly sql?: string;
  readonly version?: number;
}
