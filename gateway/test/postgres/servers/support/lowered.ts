/** Lowers the priority of six programs at once, as nobody special; says for each what its group then has: "10 10 10 10 10 10". */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { until } from '../../../../../services/common/test/support/until.ts';
import { lowerPriority } from '../../../../src/postgres/servers/processes.ts';

if (process.getuid?.() === 0) process.setuid?.(65_534);
const children = Array.from({ length: 6 }, () => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }));
const niceness = async (pid: number): Promise<string> =>
  / nice (-?\d+)/.exec(await readFile(`/proc/${pid}/autogroup`, 'utf8'))?.[1] ?? '';
const all = () => Promise.all(children.map(({ pid }) => niceness(pid ?? 0)));
for (const { pid } of children) lowerPriority(pid ?? 0, 10);
try {
  const isLowered = async (): Promise<boolean> => (await all()).every((each) => each === '10');
  await until(isLowered, { timeoutMs: 5_000 }).catch(() => undefined);
  process.stdout.write((await all()).join(' '));
} finally {
  for (const child of children) child.kill('SIGKILL');
}
