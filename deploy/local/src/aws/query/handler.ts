import type { Authenticator } from '../auth/authenticate.ts';
import { AwsError } from '../errors.ts';
import type { Faults } from '../faults.ts';
import { newRequestId, xmlAnswer, type Answer } from '../http/answer.ts';
import type { WholeRequest } from '../http/request.ts';
import { requestedRoleAccount } from '../sts/assume-role.ts';
import { queryError, runQuery, type QueryApi } from './api.ts';
import { queryAuthenticationError } from './authentication-errors.ts';

/**
 * IAM and STS on one address: the credential scope says which is meant.
 * @param fallback answers requests that name neither service
 */
export function createQueryHandler(
  apis: readonly QueryApi[],
  fallback: QueryApi,
  authenticate: Authenticator,
  faults: Faults,
) {
  return async function handle(request: WholeRequest): Promise<Answer> {
    const requestId = newRequestId();
    const caller = authenticate(request);
    const service = caller.kind === 'accepted' ? caller.service : undefined;
    const api = apis.find((one) => one.service === service) ?? fallback;
    try {
      if (caller.kind !== 'accepted') throw queryAuthenticationError(caller);
      if (api.service !== service)
        throw new AwsError(
          'SignatureDoesNotMatch',
          `Credential should be scoped to correct service: '${api.service}'.`,
          403,
        );
      const parameters = parametersOf(request);
      const role = requestedRoleAccount(parameters);
      await faults.meet(
        {
          accountIds: [caller.principal.accountId, ...(role === undefined ? [] : [role])],
          operation: parameters.get('Action') ?? '',
          tableNames: [],
        },
        request.hungUp,
      );
      const call = { principal: caller.principal, region: caller.region, parameters };
      return xmlAnswer(200, runQuery(api, call, requestId), requestId);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return xmlAnswer(error.status, queryError(api, error, requestId), requestId);
    }
  };
}

function parametersOf(request: WholeRequest): URLSearchParams {
  return request.method === 'GET'
    ? new URL(request.url, 'http://local').searchParams
    : new URLSearchParams(request.body.toString('utf8'));
}
