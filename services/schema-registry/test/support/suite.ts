/** What suites that talk to the registry share: its stack, and accounts to register. */
import { startTestStack, type TestStack } from './registry.ts';
import { simpleTable } from './tables.ts';

/** A stack for the tests of the suite that this is called in. It is there from the suite's `before` on. */
export function useTestStack(...options: Parameters<typeof startTestStack>): TestStack {
  let started: TestStack | null = null;
  before(async function () {
    this.timeout(90_000);
    started = await startTestStack(...options);
  });
  after(() => started?.close());
  return new Proxy({} as TestStack, {
    get(_, member): unknown {
      if (started === null) throw new Error('the stack starts before the first test of the suite');
      return Reflect.get(started, member);
    },
  });
}

/** Accounts of their own for a suite, each with a role and with these tables, of one item each. IDs count from the first. */
export function accountsOf(stack: TestStack, firstAccountId: number) {
  let next = firstAccountId;
  return async (tables: readonly string[], role: Parameters<TestStack['role']>[1] = {}) => {
    next += 1;
    const account = stack.account(String(next));
    await stack.role(account, role);
    for (const name of tables) await simpleTable(account, name, [{ id: { S: '1' } }]);
    return account;
  };
}
