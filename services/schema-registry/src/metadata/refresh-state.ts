/** How a refresh went. */
export interface RefreshResult {
  /** True when no table failed. */
  readonly ok: boolean;
  /** Tables refreshed, failed and deleted, in words. */
  readonly message: string;
  /** When it ended, ISO 8601, UTC. */
  readonly refreshedAt: string;
  readonly tableCount: number;
  readonly failedTableCount: number;
  readonly deletedCount: number;
  /** True when another refresh had ended less than 30 seconds before, and nothing was done. */
  readonly skipped: boolean;
  /** Units that the sampling consumed. */
  readonly readUnits: number;
}

/** A refresh that got through to the tables. */
export interface EndedRefresh {
  readonly endedAtMs: number;
  /** How the tables were reached; a refresh by another way is no reason to skip. */
  readonly accessFingerprint: string;
  readonly result: RefreshResult;
}

/** What is stored of a schema's refreshes. */
export interface RefreshState {
  readonly ended: EndedRefresh | null;
  /** Who is at it; null where nobody is, or was but has not said so for a lease's time. */
  readonly holder: string | null;
}
