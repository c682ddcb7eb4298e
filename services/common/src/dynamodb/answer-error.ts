/** The exception that an answer of DynamoDB tells of, as the SDK makes them. */
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

/** An answer's status line and headers. */
export interface AnswerHead {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const UNKNOWN = 'UnknownError';

/** A text of a JSON object; null where there is none, as when a proxy answers in HTML. */
function textsOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** `com.amazonaws.dynamodb.v20120810#ThrottlingException:http://…` names a ThrottlingException. */
function nameOf(code: unknown): string {
  if (typeof code !== 'string') return UNKNOWN;
  const [first = ''] = code.split(',');
  const [beforeColon = ''] = first.split(':');
  return beforeColon.split('#').at(-1) || UNKNOWN;
}

export function answerError({ statusCode, headers }: AnswerHead, body: Buffer): DynamoDBServiceException {
  const texts = textsOf(body);
  const message = texts['message'] ?? texts['Message'];
  return new DynamoDBServiceException({
    name: nameOf(headers['x-amzn-errortype'] ?? texts['__type'] ?? texts['code']),
    message: typeof message === 'string' ? message : `an answer with status ${statusCode}`,
    $fault: statusCode >= 500 ? 'server' : 'client',
    $metadata: metadataOf({ statusCode, headers }),
  });
}

export function metadataOf({ statusCode, headers }: AnswerHead): {
  readonly httpStatusCode: number;
  readonly requestId?: string;
} {
  const requestId = headers['x-amzn-requestid'];
  return { httpStatusCode: statusCode, ...(requestId === undefined ? {} : { requestId }) };
}
