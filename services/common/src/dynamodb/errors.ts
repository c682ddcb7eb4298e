/**
 * What DynamoDB's errors mean, decided once. Its messages name ARNs and accounts, so they never leave as they are.
 */
import { PenstockError } from '../errors/penstock-error.ts';

type DynamoErrorKind =
  | 'throttled'
  | 'access-denied'
  | 'key-denied'
  | 'table-not-found'
  | 'expired-credentials'
  | 'validation'
  | 'unavailable'
  | 'timeout'
  | 'aborted'
  | 'other';

interface DynamoErrorClass {
  readonly kind: DynamoErrorKind;
  /** The action that the role lacks, e.g. `dynamodb:Scan`; only with `access-denied`, where the message tells. */
  readonly action?: string;
}

const KIND_OF_NAME: Readonly<Record<string, DynamoErrorKind>> = Object.freeze({
  ProvisionedThroughputExceededException: 'throttled',
  RequestLimitExceeded: 'throttled',
  ThrottlingException: 'throttled',
  Throttling: 'throttled',
  TooManyRequestsException: 'throttled',
  AccessDeniedException: 'access-denied',
  AccessDenied: 'access-denied',
  ResourceNotFoundException: 'table-not-found',
  ExpiredTokenException: 'expired-credentials',
  ExpiredToken: 'expired-credentials',
  UnrecognizedClientException: 'expired-credentials',
  InvalidClientTokenId: 'expired-credentials',
  ValidationException: 'validation',
  InternalServerError: 'unavailable',
  InternalServerErrorException: 'unavailable',
  InternalFailure: 'unavailable',
  ServiceUnavailable: 'unavailable',
  ServiceUnavailableException: 'unavailable',
  TransactionInProgressException: 'unavailable',
  TimeoutError: 'timeout',
  RequestTimeout: 'timeout',
  RequestTimeoutException: 'timeout',
  AbortError: 'aborted',
});

/** Codes with which DynamoDB, or KMS through it, refuses the key that encrypts a table. */
const KEY_CODES = new Set([
  'AWSKMSException',
  // The status of a table, not the code of an answer.
  'INACCESSIBLE_ENCRYPTION_CREDENTIALS',
  'KMSAccessDeniedException',
  'KMSDisabledException',
  'KMSInvalidStateException',
  'KMSKeyNotAccessibleFault',
  'KMSNotFoundException',
  'KMSOptInRequired',
]);

/** Texts of an AccessDeniedException that is about the key: "KMS key access denied error: …AWSKMSException: …". */
const KEY_TEXT = /\bKMS key\b|AWSKMSException|not authorized to perform: kms:/i;

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** Reads the kind off an error that the SDK (or the network below it) threw. */
export function classifyDynamoError(error: unknown): DynamoErrorClass {
  if (!(error instanceof Error)) return { kind: 'other' };
  if (KEY_CODES.has(error.name)) return { kind: 'key-denied' };
  const kind = KIND_OF_NAME[error.name];
  if (kind === 'access-denied' && KEY_TEXT.test(error.message)) return { kind: 'key-denied' };
  if (kind === 'access-denied') {
    const action = /not authorized to perform: ([a-z0-9-]+:[A-Za-z]+)/.exec(error.message)?.[1];
    return action === undefined ? { kind } : { kind, action };
  }
  if (kind !== undefined) return { kind };
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ETIMEDOUT') return { kind: 'timeout' };
  if (typeof code === 'string' && UNREACHABLE_CODES.has(code)) return { kind: 'unavailable' };
  const status = httpStatus(error);
  return { kind: status !== undefined && status >= 500 ? 'unavailable' : 'other' };
}

/** The error to show for a call on one table. Names only the caller's own schema and table; the cause is kept. */
export function toPenstockError(
  error: unknown,
  table: { readonly schemaName: string; readonly tableName: string },
): PenstockError {
  if (error instanceof PenstockError) return error;
  const place = `${table.schemaName}.${table.tableName}`;
  const { kind, action } = classifyDynamoError(error);
  const options = { cause: error };
  switch (kind) {
    case 'table-not-found':
      return new PenstockError('TABLE_NOT_FOUND', `Table not found: ${place}`, options);
    case 'access-denied':
      return new PenstockError(
        'ACCESS_DENIED',
        action === undefined
          ? `Access denied: the role may not read ${place}`
          : `Access denied: the role may not perform ${action} on ${place}`,
        { ...options, detail: "Allow it in the role's permissions policy." },
      );
    case 'key-denied':
      return keyDenied(place, error);
    case 'expired-credentials':
      return new PenstockError(
        'ACCESS_DENIED',
        `Access denied: the role's session is not valid for ${place}`,
        {
          ...options,
          detail: 'Check that the role still exists and can be assumed, then try again.',
        },
      );
    case 'throttled':
      return new PenstockError('THROTTLED', `DynamoDB throttles reads of ${place}; try again later`, {
        ...options,
        retryAfterS: 5,
      });
    case 'timeout':
      return new PenstockError('UNAVAILABLE', `DynamoDB did not answer in time for ${place}; try again`, {
        ...options,
        retryAfterS: 1,
      });
    case 'unavailable':
      return new PenstockError('UNAVAILABLE', `DynamoDB is not available for ${place}; try again`, {
        ...options,
        retryAfterS: 1,
      });
    case 'aborted':
      return new PenstockError('CANCELLED', 'The request was cancelled', options);
    case 'validation':
    case 'other':
      // A request that DynamoDB calls invalid is a fault of ours: the statement itself was found sound.
      return new PenstockError('INTERNAL', `Reading ${place} failed`, options);
  }
}

/** The error to show where the KMS key that encrypts a table may not be used. `place`: schema and table. */
export function keyDenied(place: string, cause: unknown): PenstockError {
  return new PenstockError(
    'ACCESS_DENIED',
    `Access denied: the KMS key that encrypts ${place} may not be used`,
    {
      detail:
        'Allow kms:Decrypt on that key to the role, in its permissions policy and the key policy, and see that the key ' +
        'is enabled.',
      cause,
    },
  );
}

function httpStatus(error: Error): number | undefined {
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}
