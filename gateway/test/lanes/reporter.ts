/** mocha's reporter of a lane: one line a file, failures when they happen, results and timings as a file at the end. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';
import { CLAIMS_VARIABLE, claimsIn, runOnlyClaimed } from './claims.ts';
import { loggedErrors } from './logged-errors.ts';
import { treeCpuSeconds } from './process-tree.ts';
import { RESULTS_VARIABLE, type FailedTest, type FileTiming } from './results.ts';

/** A test or a hook, in this process or told by a process that ran it. */
interface Done {
  readonly file?: string | undefined;
  readonly duration?: number | undefined;
}

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  wallMs: number;
  cpuSeconds: number;
}

const {
  EVENT_TEST_BEGIN,
  EVENT_TEST_PASS,
  EVENT_TEST_FAIL,
  EVENT_TEST_PENDING,
  EVENT_HOOK_END,
  EVENT_RUN_END,
} = Mocha.Runner.constants;

export default class LaneReporter extends Mocha.reporters.Base {
  readonly #tallies = new Map<string, Tally>();
  readonly #failed: FailedTest[] = [];
  #current: string | null = null;
  #cpuSeconds = treeCpuSeconds();
  #testBeganAt = Date.now();

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const claims = process.env[CLAIMS_VARIABLE];
    if (claims !== undefined) runOnlyClaimed(runner, claimsIn(claims));
    const areFilesSideBySide = options.parallel === true;
    const seen = (done: Done): Tally => this.#seen(done, areFilesSideBySide);
    runner.on(EVENT_TEST_BEGIN, () => void (this.#testBeganAt = Date.now()));
    runner.on(EVENT_TEST_PASS, (test) => void seen(test).passed++);
    runner.on(EVENT_TEST_PENDING, (test) => void seen(test).skipped++);
    runner.on(EVENT_HOOK_END, (hook) => void seen(hook));
    // A hook that fails is told as a failed test, too.
    runner.on(EVENT_TEST_FAIL, (test, error: Error) => {
      seen(test).failed++;
      this.#fail(test, error);
    });
    runner.once(EVENT_RUN_END, () => {
      this.#leave(areFilesSideBySide);
      this.#write(areFilesSideBySide);
    });
  }

  /** The tally of the file that this belongs to: another file than the last one's ends that one's time. */
  #seen({ file, duration = 0 }: Done, areFilesSideBySide: boolean): Tally {
    const name = file === undefined ? (this.#current ?? 'mocha') : relative(process.cwd(), file);
    if (name !== this.#current) {
      this.#leave(areFilesSideBySide);
      this.#current = name;
    }
    const tally = this.#tallies.get(name) ?? { passed: 0, failed: 0, skipped: 0, wallMs: 0, cpuSeconds: 0 };
    tally.wallMs += duration;
    this.#tallies.set(name, tally);
    return tally;
  }

  #leave(areFilesSideBySide: boolean): void {
    const cpuSeconds = treeCpuSeconds();
    const tally = this.#current === null ? undefined : this.#tallies.get(this.#current);
    if (tally !== undefined) {
      if (cpuSeconds !== null && this.#cpuSeconds !== null) tally.cpuSeconds += cpuSeconds - this.#cpuSeconds;
      const cpu = areFilesSideBySide ? '' : `, ${tally.cpuSeconds.toFixed(1)} s of CPU`;
      const counts = [
        `${tally.passed} passed`,
        ...(tally.failed > 0 ? [`${tally.failed} FAILED`] : []),
        ...(tally.skipped > 0 ? [`${tally.skipped} skipped`] : []),
      ].join(', ');
      print(`${this.#current}: ${counts} in ${(tally.wallMs / 1_000).toFixed(1)} s${cpu}`);
    }
    this.#cpuSeconds = cpuSeconds;
  }

  #fail(test: Mocha.Test, error: Error): void {
    const failed = {
      title: test.fullTitle(),
      file: test.file === undefined ? '' : relative(process.cwd(), test.file),
      error: [textOf(error), ...loggedErrors(this.#testBeganAt)].join('\n'),
    };
    this.#failed.push(failed);
    print(`FAILED ${failed.title}\n${failed.error}`);
  }

  #write(areFilesSideBySide: boolean): void {
    const tallies = [...this.#tallies];
    const sum = (of: (tally: Tally) => number): number => tallies.reduce((all, [, one]) => all + of(one), 0);
    const files = tallies.map(([file, { wallMs, cpuSeconds, passed, failed }]): FileTiming => ({
      file,
      wallSeconds: wallMs / 1_000,
      cpuSeconds: areFilesSideBySide ? null : cpuSeconds,
      tests: passed + failed,
    }));
    const results = {
      passed: sum((one) => one.passed),
      skipped: sum((one) => one.skipped),
      failed: this.#failed,
      files,
    };
    const path = process.env[RESULTS_VARIABLE];
    if (path !== undefined) writeFileSync(path, JSON.stringify(results, null, 1));
  }
}

/** One write, so that lines of lanes side by side do not mix. */
function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The causes of an error, which its own text does not tell. */
const causesOf = ({ cause }: Error): string =>
  cause instanceof Error ? `\ncaused by ${cause.stack ?? String(cause)}${causesOf(cause)}` : '';

/** What differs is told by chai's error itself; assertions of Node.js say it in their message. */
function textOf(
  error: Error & { readonly showDiff?: boolean; readonly actual?: unknown; readonly expected?: unknown },
): string {
  const stack = `${error.stack ?? String(error)}${causesOf(error)}`;
  if (error.showDiff !== true) return stack;
  const diff = Mocha.reporters.Base.generateDiff(
    Mocha.utils.stringify(error.actual),
    Mocha.utils.stringify(error.expected),
  );
  return `${stack}\n${diff}`;
}
