import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Lane } from './lanes.ts';
import { dearWithoutReason, dearestFiles, failures, totals } from './report.ts';
import type { LaneResults } from './results.ts';
import { runLane } from './run-lane.ts';

const PASSES = `it('passes', () => {}); it('is skipped');`;
const FAILS = `describe('a thing', () => { it('fails', () => { throw new Error('not so'); }); it('passes', () => {}); });`;
const FAILS_BEFORE = `describe('another', () => { before(() => { throw new Error('no start'); }); it('is not run', () => {}); });`;

const FAILS_WITH_LOG = `
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { STACK_FOLDER } from '${new URL('logged-errors.ts', import.meta.url).href}';
const logged = (level, time, msg) => JSON.stringify({ level, time: new Date(time).toISOString(), msg });
const folder = STACK_FOLDER + 'x';
after(() => rmSync(folder, { recursive: true }));
it('fails', () => {
  mkdirSync(folder + '/logs', { recursive: true });
  const [before, now] = [Date.now() - 60_000, Date.now()];
  const lines = [logged('error', before, 'another test'), logged('info', now, 'nothing'), logged('error', now, 'the cause')];
  writeFileSync(folder + '/logs/gateway.log', lines.join('\\n'));
  throw new Error('500');
});`;

describe('a lane', function () {
  this.timeout(30_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'penstock-lane-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Runs files of these texts as a lane. */
  const run = async (lane: Lane, ...texts: readonly string[]) => runIn(1, lane, ...texts);
  const runIn = async (processes: number, lane: Lane, ...texts: readonly string[]) => {
    const files = texts.map((_, i) => join(folder, `${i}.test.mjs`));
    await Promise.all(texts.map((text, i) => writeFile(files[i]!, text)));
    const lines: string[] = [];
    const resultsFile = join(folder, 'results.json');
    const parts = Array.from({ length: processes }, () => files);
    const results = await runLane(lane, { parts, resultsFile, onLine: (line) => void lines.push(line) });
    return { results, printed: lines.join('\n') };
  };

  for (const lane of ['unit', 'engine'] as const) {
    it(`counts what passed, failed and was skipped, hooks that failed too (${lane})`, async () => {
      const { results, printed } = await run(lane, PASSES, FAILS, FAILS_BEFORE);
      const { passed, skipped, failed } = results;
      expect({ passed, skipped }).to.deep.equal({ passed: 2, skipped: 1 });
      expect(failed.map(({ title }) => title).sort()).to.deep.equal([
        'a thing fails',
        'another "before all" hook for "is not run"',
      ]);
      expect(results.files.map(({ tests }) => tests).sort()).to.deep.equal([1, 1, 2]);
      expect(printed).to.include('not so').and.include('0.test.mjs: 1 passed, 1 skipped in ');
    });
  }

  it('runs each file once, hooks too, where two processes have the same', async () => {
    const ran = join(folder, 'ran');
    const WRITES = `
import { appendFileSync } from 'node:fs';
const write = (what) => appendFileSync(${JSON.stringify(ran)}, \`\${import.meta.url.at(-10)} \${what}\\n\`);
for (const name of ['one', 'two'])
  describe(name, () => {
    before(() => write(name));
    it('passes', () => new Promise((resolve) => setTimeout(resolve, 50)));
  });`;
    const { results } = await runIn(2, 'engine', ...Array<string>(6).fill(WRITES));
    expect([results.passed, results.failed]).to.deep.equal([12, []]);
    const lines = (await readFile(ran, 'utf8')).trimEnd().split('\n');
    expect(lines.sort()).to.deep.equal([0, 1, 2, 3, 4, 5].flatMap((i) => [`${i} one`, `${i} two`]));
  });

  it('shows what services logged as errors while a test failed', async () => {
    const { results } = await run('engine', FAILS_WITH_LOG);
    const [, ...logged] = results.failed[0]?.error.split('\n').filter((line) => /500|"msg"/.test(line)) ?? [];
    expect(logged).to.have.lengthOf(1);
    expect(logged[0]).to.match(/^gateway: .*"the cause"/);
  });

  it('that does not come to its end has failed', async () => {
    for (const text of [`it('ends', () => process.exit(0));`, `this is no program`]) {
      const { results } = await run('engine', text);
      expect(results.failed.map(({ title }) => title)).to.deep.equal(['the lane engine comes to its end']);
    }
  });
});

describe('the end of a run', () => {
  const timing = (file: string, wallSeconds: number, cpuSeconds: number | null) => ({
    ...{ file, wallSeconds, cpuSeconds, tests: 1 },
  });
  const results = new Map<Lane, LaneResults>([
    ['unit', { passed: 3, skipped: 1, failed: [], files: [timing('gateway/test/lanes/lanes.ts', 21, null)] }],
    [
      'engine',
      {
        ...{ passed: 4, skipped: 0 },
        failed: [{ title: 'a thing fails', file: 'x.engine.test.ts', error: 'Error: not so' }],
        files: [timing('x.engine.test.ts', 1, 30)],
      },
    ],
  ]);

  it('shows numbers, failures and the dearest files', () => {
    expect(totals(results)).to.equal('7 passed, 1 failed, 1 skipped');
    expect(failures(results)).to.include('a thing fails').and.include('Error: not so');
    const [, first, second] = dearestFiles(results).split('\n');
    expect(first).to.match(/ 1\.0 +30\.0 +engine +x\.engine\.test\.ts$/);
    expect(second).to.match(/ 21\.0 +- +unit +gateway/);
  });

  it('names files above the bound of their lane that do not say why', () => {
    expect(dearWithoutReason(results)).to.include('gateway/test/lanes/lanes.ts: above 20 s in the lane unit');
  });
});
