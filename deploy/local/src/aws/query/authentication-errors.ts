import type { AuthenticationFailure } from '../auth/authenticate.ts';
import { AwsError } from '../errors.ts';

/** IAM's and STS's answers to requests they do not accept. */
export function queryAuthenticationError(failure: AuthenticationFailure): AwsError {
  switch (failure.kind) {
    case 'missing':
      return new AwsError('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
    case 'incomplete':
      return new AwsError('IncompleteSignature', failure.message, 400);
    case 'unknown':
      return new AwsError(
        'InvalidClientTokenId',
        'The security token included in the request is invalid.',
        403,
      );
    case 'expired':
      return new AwsError('ExpiredToken', 'The security token included in the request is expired', 403);
    case 'signature':
      return new AwsError('SignatureDoesNotMatch', failure.message, 403);
  }
}
