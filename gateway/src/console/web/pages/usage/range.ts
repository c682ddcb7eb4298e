/** Ranges of days, UTC, both ends included: what the Usage page shows, and what it compares with. */

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** `endDate` at most so long after `startDate`, as the API has it. */
export const RANGE_DAYS_MAX = 366;

export interface Range {
  /** YYYY-MM-DD. */
  readonly startDate: string;
  readonly endDate: string;
}

const startOf = (date: string): number => Date.parse(`${date}T00:00:00.000Z`);

/** The day, UTC, of a moment. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export function addDays(date: string, days: number): string {
  return dayOf(startOf(date) + days * DAY_MS);
}

/** Days of a range, both ends counted. */
export function daysIn({ startDate, endDate }: Range): number {
  return (startOf(endDate) - startOf(startDate)) / DAY_MS + 1;
}

/** The range of the same length that ends on the day before. */
export function before(range: Range): Range {
  const endDate = addDays(range.startDate, -1);
  return { startDate: addDays(endDate, 1 - daysIn(range)), endDate };
}

/** The range that ends today and has so many days. */
export function latest(days: number, nowMs: number): Range {
  const endDate = dayOf(nowMs);
  return { startDate: addDays(endDate, 1 - days), endDate };
}

/** From the first of the month until today. */
export function thisMonth(nowMs: number): Range {
  const endDate = dayOf(nowMs);
  return { startDate: `${endDate.slice(0, 8)}01`, endDate };
}

/** Whether the text is a day that there is: 2026-02-30 is none. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const ms = startOf(text);
  return !Number.isNaN(ms) && dayOf(ms) === text;
}

export interface RangeProblem {
  readonly field: keyof Range;
  readonly text: string;
}

/** What the API would refuse in a range, at the field that mends it; null: nothing. */
export function rangeProblem({ startDate, endDate }: Range): RangeProblem | null {
  const invalid = 'Give a day that there is, as YYYY-MM-DD';
  if (!isDate(startDate)) return { field: 'startDate', text: invalid };
  if (!isDate(endDate)) return { field: 'endDate', text: invalid };
  if (startDate > endDate) return { field: 'startDate', text: 'The first day must not be after the last' };
  if (startOf(endDate) - startOf(startDate) > RANGE_DAYS_MAX * DAY_MS) {
    return { field: 'endDate', text: `The last day may be at most ${RANGE_DAYS_MAX} days after the first` };
  }
  return null;
}
