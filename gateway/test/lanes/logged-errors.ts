/** Errors that services of a lane's stacks logged: a caller is told "Internal error", and its cause is in a log that goes with the stack. */
import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Data folders of this process's stacks begin so. */
export const STACK_FOLDER = join(tmpdir(), `penstock-e2e-${process.pid}-`);

const LINES_MAX = 5;
const LINE_CHARS_MAX = 2_000;

/** The last ones since then, each with its service; the time is as `Date.now()` has it. */
export function loggedErrors(since: number): readonly string[] {
  const lines = globSync(`${STACK_FOLDER}*/logs/*.log`).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => isErrorSince(line, since))
      .map((line) => `${basename(file, '.log')}: ${line.slice(0, LINE_CHARS_MAX)}`),
  );
  return lines.slice(-LINES_MAX);
}

/** Lines begin with level and time (`createLogger`). */
function isErrorSince(line: string, since: number): boolean {
  const time = /^\{"level":"(?:error|fatal)","time":"([^"]+)"/.exec(line)?.[1];
  return time !== undefined && Date.parse(time) >= since;
}
