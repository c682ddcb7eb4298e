/** An error as PostgreSQL's clients know them. */
export interface PgErrorFields {
  /** SQLSTATE, five characters. */
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  /** What to do. */
  readonly hint?: string;
  /** Where in the statement: the first character is 1. Characters, not bytes nor UTF-16 units. */
  readonly position?: number;
  /** PostgreSQL's function that says so, where drivers know the case by it. */
  readonly routine?: string;
  /** FATAL ends the session. */
  readonly severity?: 'ERROR' | 'FATAL';
}

/** Thrown wherever its cause is known; sent as an ErrorResponse. Its texts go to the client. */
export class PgError extends Error {
  readonly fields: PgErrorFields;

  constructor(fields: PgErrorFields, options?: ErrorOptions) {
    super(fields.message, options);
    this.name = 'PgError';
    this.fields = Object.freeze({ ...fields });
  }
}
