/** Added-up usage; half units are DynamoDB read units times two. */
export interface Counts {
  readonly requests: number;
  readonly rowsReturned: number;
  readonly readHalfUnits: number;
}

export const zeroCounts: Counts = Object.freeze({ requests: 0, rowsReturned: 0, readHalfUnits: 0 });

export function plus(a: Counts, b: Counts): Counts {
  return {
    requests: a.requests + b.requests,
    rowsReturned: a.rowsReturned + b.rowsReturned,
    readHalfUnits: a.readHalfUnits + b.readHalfUnits,
  };
}

/** The UTC day of a moment, `YYYY-MM-DD`. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
