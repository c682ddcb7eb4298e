/**
 * Ends the stack's processes when the stack itself dies without having done so (SIGKILL, power button of an IDE).
 *
 * It reads lines `+<pid>` and `-<pid>` from its standard input, a pipe whose other end only the stack holds. The end of
 * the input means that the stack is gone: whatever is still on the list is asked to end, and then made to.
 */
import { createInterface } from 'node:readline';

const GRACE_MS = 3_000;

const pids = new Set<number>();

/** Signal 0 only asks whether the process is there. */
function signal(pid: number, name: NodeJS.Signals | 0): void {
  try {
    process.kill(pid, name);
  } catch {
    pids.delete(pid);
  }
}

// Ctrl-C reaches the whole foreground group: the watchdog must outlive the stack.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) pids.add(pid);
  else pids.delete(pid);
});
lines.on('close', () => {
  for (const pid of pids) signal(pid, 'SIGTERM');
  const started = Date.now();
  const timer = setInterval(() => {
    for (const pid of pids) signal(pid, Date.now() - started > GRACE_MS ? 'SIGKILL' : 0);
    if (pids.size === 0) clearInterval(timer);
  }, 50);
});
