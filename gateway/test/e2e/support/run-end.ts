/**
 * The end of a run of tests. mocha waits until nothing keeps its process alive: a socket or a child process that a test
 * left open would keep it for ever, and with it whoever waits for the result.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** From the last test on: the shared stack's end (a process has 15 seconds to drain), and some air. */
const END_MS = 90_000;

const count = (names: readonly string[]): string =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name} × ${all.length}`).join(', ');

/** The command lines of what this process started and has not seen end. */
async function childCommands(): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,pid=,args=']);
  const lines = stdout.split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith(`${process.pid} `) && !line.includes(' ps -A ')).join('\n');
}

async function failForWhatIsOpen(): Promise<void> {
  const open = count(process.getActiveResourcesInfo());
  const children = await childCommands().catch((error: Error) => error.message);
  process.stderr.write(
    `\nThe tests are over, and ${END_MS / 1000} seconds later something is still open: ${open}\n${children}\n`,
  );
  // mocha's own exit code, which it sets at the process's exit, says how many tests failed: 0 would be green.
  process.on('exit', () => {
    process.exitCode ||= 1;
  });
  process.exit();
}

/** Runs before the other teardowns: what hangs in one of them is seen too. */
export function mochaGlobalTeardown(): void {
  setTimeout(() => void failForWhatIsOpen(), END_MS).unref();
}
