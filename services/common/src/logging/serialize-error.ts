/**
 * Text of errors that we did not write (AWS's name the caller's role, others quote a header) loses what may not be
 * logged: ARNs, and anything that looks like one of our tokens.
 */
const ARN = /arn:aws[\w-]*:[^\s"'`,;)\]}]*/g;
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const BEARER = /Bearer\s+[^\s"']+/gi;

function scrub(text: string): string {
  return text.replace(ARN, '[arn]').replace(JWT, '[token]').replace(BEARER, 'Bearer [token]');
}

/** Causes below this are of no more help. */
const CAUSES_MAX = 4;

/** An error as it is logged: scrubbed texts, the stack, and its causes. Other properties may hold anything: left out. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

export function serializeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: scrub(String(error)) };
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: scrub(error.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: scrub(error.stack) }),
    ...(error.cause == null || depth >= CAUSES_MAX ? {} : { cause: serializeError(error.cause, depth + 1) }),
  };
}
