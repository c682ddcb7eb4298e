import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';

/** An item of the control-plane table. */
export type StoredItem = Record<string, AttributeValue>;

/** The control-plane table's keys; the TTL attribute holds epoch seconds. */
export const STORE_KEYS = Object.freeze({ partitionKey: 'pk', sortKey: 'sk', ttlAttribute: 'expiresAt' });

/**
 * Runs a call on our own table. What fails there is our fault, not the caller's: UNAVAILABLE, the cause for the log.
 * @returns undefined where the call's condition did not hold
 */
export async function conditionally<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return undefined;
    throw unavailable(error);
  }
}

/** As `conditionally`, for calls without a condition. */
export async function unconditionally<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(cause: unknown): PenstockError {
  // It says more: the table is missing.
  if (cause instanceof PenstockError) return cause;
  const message = 'The schema store is not available; try again';
  return new PenstockError('UNAVAILABLE', message, { retryAfterS: 1, cause });
}
