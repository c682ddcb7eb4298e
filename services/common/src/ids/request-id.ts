import { uuidV7 } from './uuid.ts';

/** What can be logged and sent on as it is. */
export const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own request ID if it can be logged and sent on as it is, else a new one. */
export function requestIdFrom(value: string | null | undefined): string {
  return value != null && REQUEST_ID.test(value) ? value : uuidV7();
}
