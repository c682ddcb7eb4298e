/** Who used what; the tenant's own figures by day are `/v1/usage/summary`. */
export interface UsageByPrincipal {
  readonly startDate: string;
  readonly endDate: string;
  /** Those with use, most read units first. */
  readonly items: readonly PrincipalUsage[];
  /** The rest of the tenant's: what was recorded before it was known for whom. */
  readonly others: UsedByQueries;
}

/** Of an API client, or of a person: here and through agents. */
export interface PrincipalUsage extends UsedByQueries {
  readonly kind: 'client' | 'person';
  readonly id: string;
  /** A client's name or a person's address; null for one who is gone. */
  readonly name: string | null;
}

export interface UsedByQueries {
  readonly rowsReturned: number;
  /** Exact, in halves. */
  readonly readUnits: number;
}
