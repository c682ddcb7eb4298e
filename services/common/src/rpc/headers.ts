/** Metadata that travels with a call. */
export const REQUEST_ID_HEADER = 'x-request-id';
export const AUTHORIZATION_HEADER = 'authorization';
/** The gateway's own UUID of an admitted request: usage is recorded under it (the request ID may repeat). */
export const USAGE_ID_HEADER = 'penstock-usage-id';

const BEARER = /^Bearer +([^\s]+)$/i;

/** The token of an `authorization` value (RFC 6750, section 2.1), or null. */
export function bearerToken(value: string | null | undefined): string | null {
  return (value == null ? null : BEARER.exec(value)?.[1]) ?? null;
}
