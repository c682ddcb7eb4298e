/** The time of a walk over pages: each page means the moment at which the first was asked for. */
import { parseStatementTime, type StatementTime } from './logical/statement-time.ts';
import type { KeptPosition, KnownPositions } from './placed-page.ts';

/** Whatever is read, and by which path: both may follow from the time. The number is that of the format. */
const SCOPE = 'time 1';

/** Of the pages before; null where nobody knows. */
export async function timeBefore(positions: KnownPositions): Promise<StatementTime | null> {
  const text = await positions.findBesides(SCOPE);
  return text === null ? null : parseStatementTime(text);
}

/** For the page behind. */
export function timeToKeep(time: StatementTime): KeptPosition {
  return { scope: SCOPE, text: time };
}
