/** One test, by itself, in a process that is ended with all that it started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endGroup, endProcessesOf } from './end-processes.ts';
import type { Tree } from './tree.ts';

/** Longer than the longest test takes with the start of its stack, on a busy machine. */
const TEST_MS_MAX = 300_000;
const OUTPUT_SHOWN = 2_000;

export type Outcome =
  | { readonly kind: 'passed' }
  /** By its own words, not by those of a hook. */
  | { readonly kind: 'failed'; readonly message: string }
  /** It says nothing: no such test, a hook that failed, a process that did not end. */
  | { readonly kind: 'unclear'; readonly what: string };

interface Told {
  readonly title: string;
  readonly fullTitle: string;
  readonly err: { readonly message?: string };
}

interface Report {
  readonly passes: readonly Told[];
  readonly failures: readonly Told[];
}

/** Mocha counts a hook as a failure of the test next to it. */
const isHook = ({ title }: Told): boolean => /^"(before|after) (all|each)" hook/.test(title);

function outcomeOf({ passes, failures }: Report): Outcome {
  const failed = failures.find((told) => !isHook(told));
  if (failed !== undefined) return { kind: 'failed', message: failed.err.message ?? 'no message' };
  const [hook] = failures;
  if (hook !== undefined) return { kind: 'unclear', what: `${hook.title}: ${hook.err.message}` };
  return passes.length > 0 ? { kind: 'passed' } : { kind: 'unclear', what: 'no test has this title' };
}

/** The tests of a file whose full title holds the text given. */
export async function runTest(
  { root, temp }: Pick<Tree, 'root' | 'temp'>,
  { file, title }: { readonly file: string; readonly title: string },
): Promise<Outcome> {
  const reportFile = join(temp, 'report.json');
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${reportFile}`];
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const child = spawn(process.execPath, [mocha, ...reporter, '--exit', '--fgrep', title, file], {
    cwd: root,
    env: { ...process.env, TMPDIR: temp },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which ends as one.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output = `${output}${data.toString()}`.slice(-OUTPUT_SHOWN)));
  const timer = setTimeout(() => child.kill('SIGKILL'), TEST_MS_MAX);
  await once(child, 'exit');
  clearTimeout(timer);
  if (child.pid !== undefined) endGroup(child.pid);
  await endProcessesOf(temp);
  try {
    return outcomeOf(JSON.parse(await readFile(reportFile, 'utf8')) as Report);
  } catch {
    return { kind: 'unclear', what: `mocha made no report: ${output}` };
  } finally {
    await rm(reportFile, { force: true });
  }
}
