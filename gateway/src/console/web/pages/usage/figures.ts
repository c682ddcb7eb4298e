/** The three figures that are counted, and how they are called. */
export interface Counts {
  readonly requests: number;
  readonly rowsReturned: number;
  readonly ddbReadUnits: number;
}

export interface DayUsage extends Counts {
  readonly day: string;
}

/** `data` of GET /v1/usage/summary. */
export interface UsageSummary {
  readonly tenantId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly totals: Counts;
  readonly days: readonly DayUsage[];
}

export type Figure = keyof Counts;

export const FIGURES: readonly { readonly name: Figure; readonly title: string }[] = Object.freeze([
  { name: 'ddbReadUnits', title: 'Read units' },
  { name: 'requests', title: 'Requests' },
  { name: 'rowsReturned', title: 'Rows' },
]);

export const titleOf = (figure: Figure): string =>
  FIGURES.find(({ name }) => name === figure)?.title ?? figure;
