import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../../services/common/test/support/until.ts';
import { superviseChild } from '../../src/stack/child.ts';
import { lockDataDir } from '../../src/stack/lock.ts';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a supervised process', () => {
  let dir: string;
  before(async () => (dir = await mkdtemp(join(tmpdir(), 'penstock-child-'))));
  after(() => rm(dir, { recursive: true, force: true }));

  const supervise = (script: string, healthy: () => Promise<boolean>) => {
    const pids: number[] = [];
    const child = superviseChild(
      {
        name: 'test',
        command: process.execPath,
        args: ['-e', script],
        env: {},
        logFile: join(dir, 'test.log'),
        healthy,
      },
      { started: (pid) => pids.push(pid), ended: () => undefined },
    );
    return { child, pids };
  };

  it('is started again when it is killed, and stays away when it was stopped', async () => {
    const { child, pids } = supervise('setInterval(() => {}, 1000)', async () => true);
    await child.whenHealthy(5_000);
    process.kill(child.pid()!, 'SIGKILL');
    while (pids.length < 2) await sleep(20);
    await child.stop();
    // Sleeps: shows that it is not started again, which it would be after 200 ms.
    await sleep(400);
    expect(pids).to.have.length(2);
    expect(pids.some(isAlive)).to.equal(false);
  });

  it('tells whoever does not ask for its health that it keeps dying', async () => {
    const { child } = supervise('process.exit(3)', async () => true);
    const error = await child.keepsDying.catch((e: Error) => e);
    expect(error.message).to.include('test does not become healthy').and.include('test.log');
    await child.stop();
  });

  it('is started again at once, with what was asked for until it is restarted again', async () => {
    const told = join(dir, 'told');
    const script = `require('node:fs').appendFileSync('${told}', \`\${process.env.WHO}\${process.execArgv.length} \`);
      setInterval(() => {}, 1000)`;
    const words = async (): Promise<readonly string[]> =>
      (await readFile(told, 'utf8').catch(() => '')).split(' ').slice(0, -1);
    const { child, pids } = supervise(script, async () => (await words()).length === pids.length);
    await child.whenHealthy(5_000);
    await child.restart({ args: ['--no-warnings'], env: { WHO: 'ada' } });
    await child.whenHealthy(5_000);
    process.kill(child.pid()!, 'SIGKILL');
    await until(() => pids.length === 3);
    await child.whenHealthy(5_000);
    // It may be waiting for its next start.
    process.kill(child.pid()!, 'SIGKILL');
    await until(() => child.pid() === undefined);
    await child.restart();
    await child.whenHealthy(5_000);
    await child.stop();
    expect(await words()).to.deep.equal(['undefined2', 'ada3', 'ada3', 'undefined2']);
    expect(pids.some(isAlive)).to.equal(false);
  });

  it('that keeps dying is an error that names its log', async () => {
    const { child } = supervise('console.error("no luck"); process.exit(3)', async () => false);
    const error: Error = (await child.whenHealthy(8_000).catch((e: Error) => e)) as Error;
    expect(error.message).to.include('test does not become healthy').and.include('test.log');
    await child.stop();
    expect(await readFile(join(dir, 'test.log'), 'utf8')).to.include('no luck');
  });
});

describe('the watchdog', () => {
  it('ends what the stack left when the stack is gone, and only that', async () => {
    const sleeper = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const [orphan, handedBack] = [sleeper(), sleeper()];
    const entry = join(import.meta.dirname, '../../src/stack/watchdog.ts');
    const watchdog = spawn(process.execPath, [entry], { stdio: ['pipe', 'ignore', 'inherit'] });
    watchdog.stdin.write(`+${orphan.pid}\n+${handedBack.pid}\n-${handedBack.pid}\n`);
    // Sleeps: shows that nothing is ended while the stack is there.
    await sleep(300);
    expect(isAlive(orphan.pid!)).to.equal(true);
    const gone = once(orphan, 'exit');
    watchdog.stdin.end();
    await gone;
    expect(isAlive(handedBack.pid!)).to.equal(true);
    handedBack.kill('SIGKILL');
    if (watchdog.exitCode === null) await once(watchdog, 'exit');
  });
});

describe('a data folder', () => {
  let dir: string;
  before(async () => (dir = await mkdtemp(join(tmpdir(), 'penstock-lock-'))));
  after(() => rm(dir, { recursive: true, force: true }));

  it('belongs to one stack; a lock whose process is gone is taken over', async () => {
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await writeFile(join(dir, 'stack.pid'), String(holder.pid));
    const error = (await lockDataDir(dir).catch((e: Error) => e)) as Error;
    expect(error.message).to.include(`process ID ${holder.pid}`).and.include('PENSTOCK_DATA_DIR');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const lock = await lockDataDir(dir);
    await lock.release();
  });
});
