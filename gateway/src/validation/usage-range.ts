import { z } from 'zod';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { DEFAULT_USAGE_RANGE_DAYS, USAGE_RANGE_DAYS_MAX } from '../limits.ts';

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const startOf = (date: string): number => Date.parse(`${date}T00:00:00.000Z`);
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** 2025-02-30 parses to a day in March: only what comes back as it went in is a date. */
function isCalendarDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const ms = startOf(text);
  return !Number.isNaN(ms) && dateOf(ms) === text;
}

const date = z.string().refine(isCalendarDate, { error: 'must be a calendar date of the form YYYY-MM-DD' });

/** Query parameters of GET /v1/usage/summary. */
export const usageParameters = z.strictObject({ startDate: date.optional(), endDate: date.optional() });

interface UsageRange {
  readonly startDate: string;
  readonly endDate: string;
}

/**
 * Fills in what is not given: until today (UTC), and from 29 days before the end.
 *
 * @throws PenstockError VALIDATION_ERROR for a range that is reversed or too long
 */
export function usageRange(given: z.output<typeof usageParameters>, nowMs: number): UsageRange {
  const endDate = given.endDate ?? dateOf(nowMs);
  const startDate = given.startDate ?? dateOf(startOf(endDate) - DEFAULT_USAGE_RANGE_DAYS * DAY_MS);
  if (startOf(startDate) > startOf(endDate)) {
    throw new PenstockError('VALIDATION_ERROR', 'startDate must be before or equal to endDate');
  }
  if (startOf(endDate) - startOf(startDate) > USAGE_RANGE_DAYS_MAX * DAY_MS) {
    throw new PenstockError(
      'VALIDATION_ERROR',
      `endDate must be at most ${USAGE_RANGE_DAYS_MAX} days after startDate`,
    );
  }
  return { startDate, endDate };
}
