/** What a caller is told whose query lost its worker. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { REFUSED_MS, STOP_MS_MAX, STUCK_MS_MAX } from '../limits.ts';
import type { Loss } from '../processes/loss.ts';

const REFUSED = `Statements like it are refused for ${REFUSED_MS / 60_000} minutes: write it in another way, shorter or as several statements`;

function ofSuspect({ cause, isCertain }: Loss, memoryMb: number): PenstockError {
  const detail = isCertain
    ? REFUSED
    : 'It was not run again, since it may be the cause. Try again once; if it fails again, write it in another way';
  const options = { detail, ...(isCertain ? {} : { retryAfterS: 1 }) };
  switch (cause) {
    case 'deadline':
      return new PenstockError(
        'TIMEOUT',
        `The query ran out of time and did not stop within ${STOP_MS_MAX / 1000} s: its worker was ended`,
        options,
      );
    case 'stuck':
      return new PenstockError(
        'RESOURCE_EXHAUSTED',
        `The query kept its worker from everything else for more than ${STUCK_MS_MAX / 1000} s: the worker was ended`,
        options,
      );
    case 'memory':
      return new PenstockError(
        'RESOURCE_EXHAUSTED',
        `The query worker needed more than its ${memoryMb} MB of memory while it worked on this statement, and was ended`,
        options,
      );
    case 'ended':
    case 'moved':
      return new PenstockError(
        'UNAVAILABLE',
        'The query worker ended while it worked on this statement',
        options,
      );
  }
}

/** `memoryMb`: what a worker may have. */
export function lostQueryError(loss: Loss, memoryMb: number): PenstockError {
  if (loss.isSuspect) return ofSuspect(loss, memoryMb);
  return new PenstockError('UNAVAILABLE', 'The query worker ended; try again', {
    detail: 'Another statement, or the system, ended it. This one is not the cause',
    retryAfterS: 1,
  });
}

/** Where a query found no memory twice, beside other tenants' each time: which of them has it, nobody can tell. */
export const crowdedOutError = (cause: unknown): PenstockError =>
  new PenstockError('UNAVAILABLE', 'The query needs more memory than other queries leave; try again', {
    detail:
      'It was run twice. If it fails again, read fewer rows or columns, or sort and group less at a time',
    retryAfterS: 1,
    cause,
  });
