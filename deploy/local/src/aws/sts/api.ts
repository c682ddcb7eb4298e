import type { QueryAction, QueryApi } from '../query/api.ts';

/** STS: AssumeRole and GetCallerIdentity. Anyone with credentials may ask who they are. */
export function createStsApi(assumeRole: QueryAction): QueryApi {
  return {
    service: 'sts',
    version: '2011-06-15',
    namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
    actions: new Map([
      ['AssumeRole', assumeRole],
      ['GetCallerIdentity', getCallerIdentity],
    ]),
  };
}

const getCallerIdentity: QueryAction = ({ principal }) => ({
  Arn: principal.arn,
  UserId: principal.userId,
  Account: principal.accountId,
});
