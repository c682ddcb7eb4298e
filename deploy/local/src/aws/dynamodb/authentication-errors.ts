import type { AuthenticationFailure } from '../auth/authenticate.ts';
import { AwsError } from '../errors.ts';

/** DynamoDB's answers to requests it does not accept (all 400). */
export function dynamoAuthenticationError(failure: AuthenticationFailure): AwsError {
  switch (failure.kind) {
    case 'missing':
      return new AwsError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
    case 'incomplete':
      return new AwsError('IncompleteSignatureException', failure.message);
    case 'unknown':
      return new AwsError(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
    case 'expired':
      return new AwsError('ExpiredTokenException', 'The security token included in the request is expired');
    case 'signature':
      return new AwsError('InvalidSignatureException', failure.message);
  }
}
