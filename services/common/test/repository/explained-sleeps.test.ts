import { expect } from 'chai';
import { lint, type Finding } from './support/lint.ts';

const RULE = 'penstock(explained-sleeps)';

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
  const texts = [...Object.values(PLANTED), ...Object.values(LEFT_ALONE)];
  const inTest = (text: string): string => `services/auth/test/planted-${texts.indexOf(text)}.test.ts`;
  const inSupport = 'gateway/test/e2e/support/planted.ts';
  const inSource = 'services/auth/src/planted.ts';
  let findings: readonly Finding[];
  before(async () => {
    const sleep = texts[0]!;
    findings = await lint({
      ...Object.fromEntries(texts.map((text) => [inTest(text), text])),
      [inSupport]: sleep,
      [inSource]: sleep,
    });
  });
  const sleepsIn = (path: string): readonly Finding[] =>
    findings.filter(({ code, filename }) => code === RULE && filename === path);

  for (const [what, text] of Object.entries(PLANTED)) {
    it(`refuses ${what}`, () => {
      const [found, ...more] = sleepsIn(inTest(text));
      expect(found?.message).to.include('until(');
      expect(more).to.deep.equal([]);
    });
  }

  for (const [what, text] of Object.entries(LEFT_ALONE)) {
    it(`leaves ${what} alone`, () => expect(sleepsIn(inTest(text))).to.deep.equal([]));
  }

  it('is on for tests, and for nothing else', () => {
    expect(sleepsIn(inSupport)).to.have.length(1);
    expect(sleepsIn(inSource)).to.have.length(0);
  });
});
