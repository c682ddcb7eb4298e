/** Statements that are not run for a while, since one like them ended a worker. */
import { createHash } from 'node:crypto';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { fingerprintOf } from '../parser/fingerprint.ts';
import type { RefusedStatement } from '../pipe/messages.ts';

const MINUTE_MS = 60_000;

/** Equal for statements that differ in their values only. Says nothing of what they hold. */
export function statementHash(sql: string): string {
  let key = sql;
  try {
    key = fingerprintOf(sql)?.key ?? sql;
  } catch {
    // What cannot be read has no fingerprint.
  }
  return createHash('sha256').update(key).digest('base64url');
}

/** Throws RESOURCE_EXHAUSTED where the statement is one of these. */
export function throwIfRefused(sql: string, refused: readonly RefusedStatement[]): void {
  if (refused.length === 0) return;
  const own = statementHash(sql);
  const found = refused.find((each) => each.statementHash === own);
  if (found === undefined) return;
  const leftMs = Math.max(1, found.until - Date.now());
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  throw new PenstockError(
    'RESOURCE_EXHAUSTED',
    `This statement is refused for ${minutes} more minute${minutes === 1 ? '' : 's'}: a query worker had to be ended while it worked on one like it`,
    {
      detail: 'Write it in another way: shorter, with fewer terms, or as several statements',
      retryAfterS: leftMs / 1000,
    },
  );
}
