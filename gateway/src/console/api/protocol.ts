/**
 * How the console's page talks to its server. Everything in this folder is shared by both: types, names and paths, and
 * nothing that only a browser or only Node.js has.
 *
 * - The page sends `CONSOLE_HEADER` with every request, to `/console/api/…` and to `/v1/…`, `GET` too. A page of another
 *   site cannot send it. The session is a cookie that the page neither sees nor sends by itself.
 * - `/v1/…` answers to the session as to a bearer token: the same routes, bodies and errors. A member has the scopes
 *   `query` and `schemas:read`, an admin all. A request with both a bearer token and the console's header is refused.
 * - Errors are the REST API's: `ErrorEnvelope`, and on `POST /v1/query` the query envelope. 401 `UNAUTHORIZED` says that
 *   the session has ended: keep what was typed, and offer to sign in again (`signInPath`). 403 `TENANT_ADMIN_REQUIRED`
 *   is what a member gets. 403 `SIGN_IN_AGAIN` says that the sign-in is too long ago for this: `signInPath` with
 *   `fresh`, then again. 503 `UNAVAILABLE` and a failed fetch can be tried again. 429 and 503 have `Retry-After`.
 */

/** Sent with every request of the page, with `CONSOLE_HEADER_VALUE`. */
export const CONSOLE_HEADER = 'x-penstock-console';
export const CONSOLE_HEADER_VALUE = '1';

/** Where the page is. */
export const CONSOLE_PATH = '/console';

/** Where files of the build are, by their hashed names. */
export const ASSETS_PATH = '/console/assets';

/** Success: exactly these two fields. */
export interface SuccessEnvelope<Data> {
  readonly success: true;
  readonly data: Data;
}

/** Codes that only the console's own endpoints have, beside those of the REST API. */
export type ConsoleErrorCode = 'SIGN_IN_AGAIN' | 'CONFLICT' | 'LIMIT_REACHED';

/** What went wrong, in words that can be shown. */
export interface ErrorEnvelope {
  readonly success: false;
  readonly error: {
    readonly message: string;
    /** Of the REST API's list, or a ConsoleErrorCode. */
    readonly code: string;
    /** Equals the `x-request-id` header. */
    readonly requestId: string;
  };
}

export type Envelope<Data> = SuccessEnvelope<Data> | ErrorEnvelope;

/** A page of a list; `nextToken` is there when more remain, and goes into the query string of the next request. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextToken?: string;
}

/** ISO 8601, UTC, with milliseconds. */
export type Timestamp = string;
