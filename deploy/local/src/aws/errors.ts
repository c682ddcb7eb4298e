/**
 * An error as AWS answers it: code, HTTP status and message. The protocol that answers (JSON for DynamoDB,
 * XML for IAM and STS) decides the wrapping. Messages are AWS's own wording wherever it is known.
 */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'AwsError';
    this.code = code;
    this.status = status;
  }
}

/** DynamoDB's ValidationException. */
export function dynamoValidation(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

/** The query protocol's ValidationError (IAM, STS). */
export function queryValidation(message: string): AwsError {
  return new AwsError('ValidationError', message);
}

/** IAM's and STS's refusal of a policy that is not one. */
export function malformedPolicy(message: string): AwsError {
  return new AwsError('MalformedPolicyDocument', message);
}
