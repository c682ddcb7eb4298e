import { AwsError } from './errors.ts';

/** The statuses that a fault may give a table (API reference, TableDescription). */
export const FAULT_TABLE_STATUSES: readonly string[] = [
  'CREATING',
  'DELETING',
  'INACCESSIBLE_ENCRYPTION_CREDENTIALS',
  'ARCHIVING',
  'ARCHIVED',
];

/** What a fault names for a KMS key that the caller may not use; DynamoDB answers an AccessDeniedException then. */
export const KMS_REFUSAL = 'KMSKeyAccessDenied';

/** DynamoDB's words for it, as SDK users report them. */
export function kmsRefusal(): AwsError {
  return new AwsError(
    'AccessDeniedException',
    'KMS key access denied error: com.amazonaws.services.kms.model.AWSKMSException: The ciphertext refers to a customer ' +
      'master key that does not exist, does not exist in this region, or you are not allowed to access. (Service: AWSKMS; ' +
      'Status Code: 400; Error Code: AccessDeniedException; Request ID: 00000000-0000-0000-0000-000000000000; Proxy: null)',
  );
}

/** How DynamoDB refuses to read a table of this status. */
export function refusalOfStatus(status: string): AwsError {
  return status === 'INACCESSIBLE_ENCRYPTION_CREDENTIALS'
    ? kmsRefusal()
    : new AwsError('ResourceNotFoundException', 'Requested resource not found');
}

/** A DescribeTable answer's body with another status. */
export function withTableStatus(body: Buffer, status: string): Buffer {
  const answer = JSON.parse(body.toString('utf8')) as { Table?: object };
  return Buffer.from(JSON.stringify({ ...answer, Table: { ...answer.Table, TableStatus: status } }));
}
