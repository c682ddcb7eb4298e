/**
 * The closed list of error codes. Each has one meaning everywhere, one gRPC code and one HTTP status.
 *
 * `http` is the status on the schema, usage and auth endpoints, whose envelope carries the code. `queryHttp` is the
 * status on `POST /v1/query`, where errors of the statement itself are answered 200 with `success: false`. `category`
 * says who can mend it: the caller (`user`), we (`internal`), or nobody, since something ran out (`resource`).
 */
import { Code } from '@connectrpc/connect';

interface ErrorCodeEntry {
  readonly category: 'user' | 'internal' | 'resource';
  readonly grpc: Code;
  readonly http: number;
  readonly queryHttp: number;
}

const entry = (
  category: ErrorCodeEntry['category'],
  grpc: Code,
  http: number,
  queryHttp: number = http,
): ErrorCodeEntry => Object.freeze({ category, grpc, http, queryHttp });

export const ERROR_CODES = Object.freeze({
  // Requests
  VALIDATION_ERROR: entry('user', Code.InvalidArgument, 400),
  UNAUTHORIZED: entry('user', Code.Unauthenticated, 401),
  INSUFFICIENT_SCOPE: entry('user', Code.PermissionDenied, 403),
  TENANT_ADMIN_REQUIRED: entry('user', Code.PermissionDenied, 403),
  TENANT_MISMATCH: entry('user', Code.PermissionDenied, 403),
  NOT_FOUND: entry('user', Code.NotFound, 404),
  // Of the console
  /** A request with the console's session that did not come from its page. */
  CROSS_SITE: entry('user', Code.PermissionDenied, 403),
  /** The sign-in was too long ago for what is asked. */
  SIGN_IN_AGAIN: entry('user', Code.PermissionDenied, 403),
  /** Somebody else was faster, or what there is stands against it. */
  CONFLICT: entry('user', Code.FailedPrecondition, 409),
  /** There are as many as there may be. */
  LIMIT_REACHED: entry('user', Code.FailedPrecondition, 409),
  /** The answer is to be of a type that there is none of. */
  NOT_ACCEPTABLE: entry('user', Code.InvalidArgument, 406),
  PAYLOAD_TOO_LARGE: entry('user', Code.InvalidArgument, 413),
  RATE_LIMITED: entry('resource', Code.ResourceExhausted, 429),
  // Schemas
  SCHEMA_NOT_FOUND: entry('user', Code.NotFound, 404, 200),
  SCHEMA_ALREADY_EXISTS: entry('user', Code.AlreadyExists, 409),
  /** A schema may not name this role with this external ID; ACCESS_DENIED where a role turns out so in use. */
  ROLE_NOT_ASSUMABLE: entry('user', Code.FailedPrecondition, 409),
  // Statements that cannot be read
  PARSE_ERROR: entry('user', Code.InvalidArgument, 400),
  UNSUPPORTED_SQL: entry('user', Code.InvalidArgument, 400),
  // Statements that can be read, but not run
  SCHEMA_DISABLED: entry('user', Code.FailedPrecondition, 409, 200),
  SCHEMA_REQUIRED: entry('user', Code.InvalidArgument, 400, 200),
  TABLE_NOT_FOUND: entry('user', Code.NotFound, 404, 200),
  COLUMN_NOT_FOUND: entry('user', Code.NotFound, 404, 200),
  AMBIGUOUS_NAME: entry('user', Code.InvalidArgument, 400, 200),
  FUNCTION_NOT_FOUND: entry('user', Code.NotFound, 404, 200),
  /** Names resolve, but the statement makes no sense: wrong argument count, aggregate in WHERE, column not grouped. */
  INVALID_QUERY: entry('user', Code.InvalidArgument, 400, 200),
  TYPE_ERROR: entry('user', Code.InvalidArgument, 400, 200),
  /** Failed on the values that were read: overflow, a cast that a value does not fit, a scalar subquery of two rows. */
  EXECUTION_ERROR: entry('user', Code.FailedPrecondition, 400, 200),
  ACCESS_DENIED: entry('user', Code.FailedPrecondition, 403, 200),
  // Bounds
  READ_UNIT_LIMIT: entry('resource', Code.ResourceExhausted, 429, 200),
  /** The read units that the tenant or the client has for the day or the month are used. */
  BUDGET_EXCEEDED: entry('resource', Code.ResourceExhausted, 429, 200),
  /** The query's own timeoutMs (or the service's) passed. */
  TIMEOUT: entry('resource', Code.DeadlineExceeded, 504, 200),
  THROTTLED: entry('resource', Code.ResourceExhausted, 503, 200),
  /** The query needs more memory or a larger plan than one query may have. */
  RESOURCE_EXHAUSTED: entry('resource', Code.ResourceExhausted, 503, 200),
  /** Somebody stopped it. Who hung up sees nothing of it. */
  CANCELLED: entry('user', Code.Canceled, 499, 200),
  // Ours
  UNAVAILABLE: entry('internal', Code.Unavailable, 503),
  INTERNAL: entry('internal', Code.Internal, 500),
} satisfies Record<string, ErrorCodeEntry>);

/** A code of the list. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** True when the text is a code of the list (it may have come over the wire). */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
