/** What a statement is to the endpoint: rows to be found, or something about the session. */

export interface CopyFormat {
  readonly csv: boolean;
  readonly header: boolean;
  readonly delimiter: string;
  /** What NULL is written as. */
  readonly nullText: string;
  readonly quote: string;
}

export type Statement =
  | { readonly kind: 'empty' }
  /** Answered by the engine or by the catalogs: whichever has its relations. */
  | { readonly kind: 'select'; readonly sql: string }
  | { readonly kind: 'begin'; readonly tag: 'BEGIN' | 'START TRANSACTION' }
  /** `chains`: a new transaction begins at once. */
  | { readonly kind: 'commit' | 'rollback'; readonly chains: boolean }
  | { readonly kind: 'savepoint' | 'release' | 'rollbackTo'; readonly name: string }
  | {
      readonly kind: 'set';
      readonly name: string;
      /** Null: DEFAULT. */
      readonly value: string | null;
      readonly isLocal: boolean;
    }
  /** Taken, and nothing done: isolation levels of a session that only reads. */
  | { readonly kind: 'setNothing'; readonly tag: string }
  | { readonly kind: 'show'; readonly name: string }
  /** Null: all. */
  | { readonly kind: 'reset' | 'deallocate'; readonly name: string | null }
  | { readonly kind: 'discard'; readonly what: string }
  | { readonly kind: 'declare'; readonly cursor: string; readonly sql: string; readonly holds: boolean }
  | {
      readonly kind: 'fetch';
      readonly cursor: string;
      /** Null: all that are left. */
      readonly count: number | null;
      /** MOVE: rows are passed over. */
      readonly moves: boolean;
    }
  /** Null: all. */
  | { readonly kind: 'closeCursor'; readonly cursor: string | null }
  | { readonly kind: 'explain'; readonly sql: string }
  | { readonly kind: 'copyOut'; readonly sql: string; readonly format: CopyFormat }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly hint?: string };
