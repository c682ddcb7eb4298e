import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { http } from './http.ts';

/** One request that the local AWS endpoint was asked on behalf of an account. */
interface LoggedRequest {
  readonly operation: string;
  readonly tableName: string | null;
  readonly indexName: string | null;
  readonly keyCondition: string | null;
  readonly segment: number | null;
  readonly consumedUnits: number | null;
  /** False where whoever asked is known to have gone without the whole answer. */
  readonly wasAnswered: boolean;
}

const url = (stack: RunningStack, account: CustomerAccount): string =>
  `${stack.awsEndpoint}/_requests?accountId=${account.accountId}`;

export async function requestsOf(
  stack: RunningStack,
  account: CustomerAccount,
): Promise<readonly LoggedRequest[]> {
  return (await http<LoggedRequest[]>('GET', url(stack, account))).body;
}

export async function clearRequests(stack: RunningStack, account: CustomerAccount): Promise<void> {
  await http('DELETE', url(stack, account));
}

export interface Fault {
  readonly accountId: string;
  readonly tableName?: string;
  readonly operation?: string;
  readonly error?: string;
  readonly latencyMs?: number;
  /** Until the list is replaced. */
  readonly held?: true;
  readonly probability?: number;
  readonly count?: number;
}

/** How many more requests the fault of an account will meet: those that it met have arrived, and may wait. */
export async function faultsLeft(stack: RunningStack, accountId: string): Promise<number> {
  const { body } = await http<readonly Fault[]>('GET', `${stack.awsEndpoint}/_faults`);
  return body.filter((fault) => fault.accountId === accountId).reduce((sum, { count = 0 }) => sum + count, 0);
}

/** Replaces the endpoint's list of faults. */
export async function setFaults(stack: RunningStack, faults: readonly Fault[]): Promise<void> {
  const answer = await http('PUT', `${stack.awsEndpoint}/_faults`, { json: faults });
  if (answer.status >= 300) throw new Error(`faults refused: ${answer.status} ${answer.text}`);
}
