import { expect } from 'chai';
import { IS_LONG } from '../../../services/common/test/support/random-budget.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newTenant } from '../e2e/support/tenant.ts';
import { mcpToken } from '../mcp/support/mcp.ts';
import { EXEMPT, PASSING } from './scenarios.ts';
import { runServerScenarios, type Results, type Revision } from './support/suite.ts';
import { startTokenProxy } from './support/token-proxy.ts';
import { hasPassed, problemNames, describeChecks } from './support/check-suite.ts';

/** The older one only in the long lane: most scenarios are the same. */
const REVISIONS: readonly Revision[] = IS_LONG ? ['2025-11-25', '2026-07-28'] : ['2026-07-28'];

describe('/mcp in the official conformance suite', function () {
  this.timeout(STACK_START_TIMEOUT_MS);

  for (const revision of REVISIONS) {
    describe(`of protocol ${revision}`, () => {
      const exempt = EXEMPT[revision].flatMap(({ checks }) => checks);
      const whole = new Set(exempt.filter((name) => !name.includes(':')));
      let results: Results;

      before(async () => {
        const stack = await sharedStack();
        const { credentials } = await newTenant(stack);
        const proxy = await startTokenProxy(stack.mcpUrl, await mcpToken(stack, credentials));
        try {
          results = await runServerScenarios(`${proxy.origin}/mcp`, revision);
        } finally {
          await proxy.close();
        }
      });

      for (const scenario of PASSING[revision]) {
        it(`passes ${scenario}`, () => {
          const checks = results.get(scenario) ?? [];
          expect(hasPassed(checks), describeChecks(checks)).to.equal(true);
        });
      }

      for (const { reason, checks } of EXEMPT[revision]) {
        const scenarios = [...new Set(checks.map((name) => name.split(':')[0]!))];
        it(`fails scenarios only where they do not apply (${scenarios.length}): ${reason}`, () => {
          for (const scenario of scenarios) {
            const found = results.get(scenario) ?? [];
            expect(found, `${scenario} did not run`).to.not.deep.equal([]);
            if (whole.has(scenario)) {
              expect(hasPassed(found), `${scenario} passes now: take it off the list`).to.equal(false);
            } else {
              const listed = checks.filter((name) => name.startsWith(`${scenario}:`)).sort();
              expect(problemNames(results, scenario), describeChecks(found)).to.deep.equal(listed);
            }
          }
        });
      }

      it('leaves no scenario of the suite out', () => {
        const known = [...PASSING[revision], ...exempt.map((name) => name.split(':')[0]!)];
        expect([...results.keys()].sort()).to.deep.equal([...new Set(known)].sort());
      });
    });
  }
});
