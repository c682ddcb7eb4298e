/** Parts that were killed are found again by those who call them only after they are healthy. */
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { until, untilSome } from '../../../../services/common/test/support/until.ts';
import { newTenant } from './tenant.ts';

/** Makes an engine ask the registry, which knows of no such table. */
const ASKS_ALL = 'SELECT 1 FROM nobody.nothing';

/** Resolves when a tenant's calls reach every part behind the gateway. @throws Error where they do not in time */
export async function wholeAgain(stack: RunningStack, engines: number, timeoutMs: number): Promise<void> {
  const options = { timeoutMs, what: 'that every part is reached again' };
  const tenant = await untilSome(() => newTenant(stack).catch(() => null), options);
  const statuses = async (): Promise<readonly number[]> => {
    // One after the other goes to each engine in turn.
    const queries = [];
    for (let i = 0; i < 2 * engines; i += 1) queries.push(await tenant.query(ASKS_ALL));
    const rest = await Promise.all(
      ['/v1/schemas', '/v1/usage/summary'].map((path) => tenant.call('GET', path)),
    );
    return [...queries, ...rest].map(({ status }) => status);
  };
  await until(async () => !(await statuses().catch(() => [503])).includes(503), options);
}
