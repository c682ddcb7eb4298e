import { uuidV7 } from './uuid.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** A caller's own request ID where it is one we can log and send on (decisions, "x-request-id"), else a new one. */
export function requestIdFrom(value: string | null | undefined): string {
  return value != null && REQUEST_ID.test(value) ? value : uuidV7();
}
