import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { COMPILE_CACHE } from '../../../deploy/local/src/stack/services.ts';
import { SEED } from '../../../services/common/test/support/random-budget.ts';
import { CLAIMS_VARIABLE } from './claims.ts';
import { mochaArguments, partsOf, type Lane, type Part } from './lanes.ts';
import { RESULTS_VARIABLE, type LaneResults } from './results.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Results and timings of the last run. */
export const RESULTS_FOLDER = join(ROOT, '.penstock/tests');

export interface LaneOptions {
  /** Instead of the lane's own parts. */
  readonly parts?: readonly Part[];
  /** Where its results are written; beside the other lanes' where absent. */
  readonly resultsFile?: string;
  /** Told each line that the lane prints. */
  readonly onLine: (line: string) => void;
}

/**
 * Runs a lane's files in mocha processes of their own, side by side where it has several. A lane that does not come to its end has
 * a failure that says so.
 */
export async function runLane(
  lane: Lane,
  { parts = partsOf(lane), resultsFile = join(RESULTS_FOLDER, `${lane}.json`), onLine }: LaneOptions,
): Promise<LaneResults> {
  const claims = `${resultsFile}.claims`;
  await rm(claims, { recursive: true, force: true });
  await mkdir(claims, { recursive: true });
  const results = await Promise.all(
    parts.map((part, i) =>
      runPart(lane, part, { claims, path: i === 0 ? resultsFile : `${resultsFile}.${i + 1}`, onLine }),
    ),
  );
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    skipped: results.reduce((sum, { skipped }) => sum + skipped, 0),
    failed: results.flatMap(({ failed }) => failed),
    files: results.flatMap((part) => part.files),
  };
}

interface PartOptions {
  /** A folder. */
  readonly claims: string;
  /** Where its results are written. */
  readonly path: string;
  readonly onLine: LaneOptions['onLine'];
}

async function runPart(lane: Lane, files: Part, { claims, path, onLine }: PartOptions): Promise<LaneResults> {
  await rm(path, { force: true });
  const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
  const child = spawn(
    process.execPath,
    [mocha, '--reporter', join(import.meta.dirname, 'reporter.ts'), ...mochaArguments(lane, files)],
    {
      cwd: ROOT,
      env: {
        // Each of a lane's some hundred processes would compile the same files again.
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...process.env,
        // One seed repeats the whole run, also where files run in several processes.
        SEED: String(SEED),
        [RESULTS_VARIABLE]: path,
        // Files that run side by side are divided by mocha.
        ...(lane === 'unit' ? {} : { [CLAIMS_VARIABLE]: claims }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const end = (): void => void child.kill('SIGTERM');
  process.once('SIGTERM', end);
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  process.off('SIGTERM', end);
  const results = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as LaneResults,
    () => null,
  );
  if (results !== null && (code === 0 || results.failed.length > 0)) return results;
  const error = `mocha ended by ${signal ?? `exit code ${code}`}; the lane's last lines say more`;
  const unfinished = { title: `the lane ${lane} comes to its end`, file: '', error };
  return { passed: 0, skipped: 0, files: [], ...results, failed: [...(results?.failed ?? []), unfinished] };
}
