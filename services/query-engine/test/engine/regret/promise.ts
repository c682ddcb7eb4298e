/** What bounded regret lets a statement cost beside the plan that takes no guess. */
import type { LoggedRequest } from '../../dynamodb/aws.ts';

/** How far a read may go before its price is projected: part of the certain plan's units. */
export const REGRET_MAX = 0.1;
const HALF_UNIT = 0.5;

/** Different partitions and items that were asked for. */
export function keysAsked(requests: readonly LoggedRequest[]): number {
  const queries = requests.filter(({ operation }) => operation === 'Query');
  const partitions = new Set(
    queries.map(({ tableName, indexName, keyCondition }) =>
      JSON.stringify([tableName, indexName, keyCondition]),
    ),
  );
  return requests.reduce((sum, { operation, keys }) => {
    return operation === 'Query' ? sum : sum + (keys ?? 0);
  }, partitions.size);
}

/** Units beyond the `certain` ones: each key begins a step of 4 KB anew, and trying may cost a tenth of them. */
export function regretAllowed(certain: number, requests: readonly LoggedRequest[]): number {
  return Math.max(REGRET_MAX * certain, keysAsked(requests) * HALF_UNIT);
}
