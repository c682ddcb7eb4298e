import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { dayOf } from '../counts.ts';
import { SUMMARY_DAYS_MAX } from '../limits.ts';

const DAY_MS = 86_400_000;

/** The start of a calendar date in UTC; throws `VALIDATION_ERROR` naming the field for what is none. */
function startOf(date: string, field: string): number {
  const ms = Date.parse(`${date}T00:00:00.000Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(ms) || dayOf(ms) !== date) {
    throw new PenstockError('VALIDATION_ERROR', `${field} must be a calendar date, YYYY-MM-DD`);
  }
  return ms;
}

/** Every day of the range, both ends included. Throws `VALIDATION_ERROR`. */
export function daysOf(startDate: string, endDate: string): string[] {
  const [start, end] = [startOf(startDate, 'startDate'), startOf(endDate, 'endDate')];
  if (start > end)
    throw new PenstockError('VALIDATION_ERROR', 'startDate must be before or equal to endDate');
  const days = (end - start) / DAY_MS;
  if (days > SUMMARY_DAYS_MAX) {
    throw new PenstockError(
      'VALIDATION_ERROR',
      `endDate must be at most ${SUMMARY_DAYS_MAX} days after startDate`,
    );
  }
  return Array.from({ length: days + 1 }, (_, i) => dayOf(start + i * DAY_MS));
}
