/** Read units; null: no limit. One of the two at least is a number. Days and months are UTC's. */
export interface BudgetAmounts {
  readonly unitsPerDay: number | null;
  readonly unitsPerMonth: number | null;
}

/** What was read so far. */
export interface Used {
  readonly today: number;
  readonly thisMonth: number;
}

/**
 * A budget of the tenant (`clientId` null) or of one of its API clients. The amounts are what administrators set, null where nothing is
 * set. The operator's are changed by the operator alone; the smaller of the two counts.
 */
export interface Budget extends BudgetAmounts {
  /** Null: the operator set none. */
  readonly byOperator: BudgetAmounts | null;
  readonly clientId: string | null;
  /** Of the client; null for the tenant's own, and for a client that is gone. */
  readonly clientName: string | null;
  readonly used: Used;
}

export interface BudgetList {
  /** The tenant's own first, then by client; only those that are set. */
  readonly items: readonly Budget[];
  /** Of the tenant, with a budget or without. */
  readonly used: Used;
}
