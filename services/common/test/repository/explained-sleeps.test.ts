import { join } from 'node:path';
import { expect } from 'chai';
import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { explainedSleeps } from './lint/explained-sleeps.ts';
import { ROOT } from './support/pages.ts';

const RULE = 'penstock/explained-sleeps';

const PLANTED: Readonly<Record<string, string>> = {
  'a sleep': 'await sleep(51);',
  'a delay in a loop': 'while (!isThere) await delay(100);',
  'a timer of node:timers/promises under another name':
    "import { setTimeout as rest } from 'node:timers/promises';\nawait rest(5_000);",
  'a promise that a timer resolves': 'await new Promise((resolve) => setTimeout(resolve, 200));',
  'a promise that a timer resolves in a function':
    'await new Promise<void>((done) => { setTimeout(() => done(), 200).unref(); });',
  'a constant of the file': 'const REST_MS = 4 * 100;\nawait sleep(REST_MS / 2);',
  'a constant of another file': "import { LEASE_MS } from './limits.ts';\nawait sleep(LEASE_MS);",
  'a constant and something unknown': 'await sleep(ageMs + 100);',
  'a reason that says nothing': '// Sleeps:\nawait sleep(100);',
  'a reason that belongs to the line above':
    'await sleep(30); // Sleeps: a turn of the event loop.\nawait sleep(100);',
};

const LEFT_ALONE: Readonly<Record<string, string>> = {
  'a short sleep': 'await sleep(50);',
  'a short constant': 'const POLL_MS = 20;\nawait delay(POLL_MS);',
  'a duration that the caller chooses':
    'const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));',
  'a timer that does something': 'setTimeout(() => server.close(), 1_000);',
  'a reason on the same line': 'await sleep(100); // Sleeps: shows that nothing is sent in it.',
  'a reason above': '// Sleeps: shows that nothing is sent in it.\nawait sleep(100);',
  'a reason of two lines above':
    '// Sleeps: shows that nothing is sent,\n// however long one waits.\nawait sleep(100);',
};

describe('the lint rule on sleeps in tests', () => {
  for (const [what, text] of Object.entries(PLANTED)) {
    it(`refuses ${what}`, () => {
      const [found, ...more] = lint(text);
      expect(found).to.include({ ruleId: RULE }).and.have.property('message').that.includes('until(');
      expect(more).to.deep.equal([]);
    });
  }

  for (const [what, text] of Object.entries(LEFT_ALONE)) {
    it(`leaves ${what} alone`, () => expect(lint(text)).to.deep.equal([]));
  }

  it('is on for tests, and for nothing else', async () => {
    const eslint = new ESLint({ cwd: ROOT, overrideConfigFile: join(ROOT, '.eslint.config.js') });
    const severity = async (file: string): Promise<unknown> => {
      const config = (await eslint.calculateConfigForFile(join(ROOT, file))) as Linter.Config;
      return config.rules?.[RULE];
    };
    expect(await severity('services/auth/test/planted.test.ts')).to.deep.equal([2]);
    expect(await severity('gateway/test/e2e/support/planted.ts')).to.deep.equal([2]);
    expect(await severity('services/auth/src/planted.ts')).to.equal(undefined);
  });
});

function lint(text: string): readonly Linter.LintMessage[] {
  return new Linter().verify(
    text,
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      plugins: { penstock: { rules: { 'explained-sleeps': explainedSleeps } } },
      rules: { [RULE]: 'error' },
    },
    'planted.test.ts',
  );
}
