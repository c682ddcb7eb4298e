/**
 * `make stack` as a person starts and ends it.
 *
 * Takes long: a stack is started three times, one after the other.
 * Takes turns: for the same reason.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { seedShop } from './support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import { newAccount, newTenant, registerSchema, tenantWith, type TestTenant } from './support/tenant.ts';

const ROOT = join(import.meta.dirname, '../../..');

type Ready = Pick<RunningStack, 'baseUrl' | 'mcpUrl' | 'awsEndpoint' | 'serviceAccountId' | 'dataDir'>;

interface StackProcess {
  readonly ready: RunningStack;
  readonly pid: number;
  signal(name: NodeJS.Signals): Promise<number | null>;
}

/** `make stack` as a person starts it. */
async function makeStack(dataDir: string, env: Readonly<Record<string, string>>): Promise<StackProcess> {
  const child = spawn('make', ['--no-print-directory', 'stack'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PENSTOCK_DATA_DIR: dataDir,
      PENSTOCK_AWS_PORT: '0',
      PENSTOCK_REDIS_PORT: '0',
      PENSTOCK_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('READY ')) continue;
    const ready = JSON.parse(line.slice('READY '.length)) as Ready;
    const pid = Number(await readFile(join(dataDir, 'stack.pid'), 'utf8'));
    return {
      ready: ready as RunningStack,
      pid,
      signal: async (name) => {
        const gone = once(child, 'exit');
        process.kill(pid, name);
        return (await gone)[0] as number | null;
      },
    };
  }
  throw new Error('make stack ended without READY');
}

/** Processes whose command line or environment names the data folder. */
async function processesOf(dataDir: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${entry}/${file}`, 'utf8').catch(() => '')),
    );
    if (`${command}${environment}`.includes(dataDir)) found.push(command!.replaceAll('\0', ' '));
  }
  return found;
}

describe('make stack', function () {
  this.timeout(3 * STACK_START_TIMEOUT_MS);
  const folders: string[] = [];
  const running: StackProcess[] = [];
  const folder = async (): Promise<string> => {
    const dir = await mkdtemp(join(tmpdir(), 'penstock-stack-'));
    folders.push(dir);
    return dir;
  };
  after(async () => {
    for (const stack of running) if (isAlive(stack.pid)) await stack.signal('SIGTERM');
    for (const dir of folders) await rm(dir, { recursive: true, force: true });
  });

  it('runs side by side with another, ends all of itself on SIGTERM, and keeps its data over a restart and a SIGKILL', async () => {
    const dirA = await folder();
    const [a, b] = await Promise.all([makeStack(dirA, {}), sharedStack()]);
    running.push(a);
    expect(new Set([a.ready.baseUrl, b.baseUrl, a.ready.awsEndpoint, b.awsEndpoint]).size).to.equal(4);

    const tenant = await newTenant(a.ready);
    const account = newAccount(a.ready);
    await seedShop(account);
    await registerSchema(a.ready, tenant, account, { schemaName: 'shop' });
    account.close();
    const sql = "SELECT name FROM shop.customers WHERE id = 'c1'";
    const first = await tenant.query(sql);
    expect(first.body.data?.data, first.text).to.deep.equal([['Ada m']]);
    expect(await requests(tenant)).to.equal(1);

    expect(await a.signal('SIGTERM')).to.equal(0);
    expect(await processesOf(dirA)).to.deep.equal([]);
    expect((await fetch(`${b.baseUrl}/readyz`)).ok).to.equal(true);

    const restarted = await makeStack(dirA, { PENSTOCK_QUERY_ENGINES: '2' });
    running.push(restarted);
    const again = await tenantWith(restarted.ready, tenant.tenantId, tenant.credentials);
    const second = await again.query(sql);
    expect(second.body.data?.data, second.text).to.deep.equal([['Ada m']]);
    expect(await requests(again)).to.equal(2);

    await restarted.signal('SIGKILL');
    await until(async () => (await processesOf(dirA)).length === 0, {
      timeoutMs: 40_000,
      what: 'no process of the stack is left',
    });
    const revived = await makeStack(dirA, {});
    running.push(revived);
    const third = await tenantWith(revived.ready, tenant.tenantId, tenant.credentials);
    const last = await third.query(sql);
    expect(last.body.data?.data, last.text).to.deep.equal([['Ada m']]);
    expect(await requests(third)).to.equal(3);
    expect(await revived.signal('SIGTERM')).to.equal(0);
    expect(await processesOf(dirA)).to.deep.equal([]);
    expect((await fetch(`${b.baseUrl}/readyz`)).ok).to.equal(true);
  });

  it('refuses a data folder in use and a wrong setting with one clear line', async () => {
    const dir = await folder();
    const bad = spawn('make', ['--no-print-directory', 'stack'], {
      cwd: ROOT,
      env: { ...process.env, PENSTOCK_DATA_DIR: dir, PENSTOCK_PORT: 'eighty' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    bad.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(bad, 'exit')) as [number];
    expect(code).to.not.equal(0);
    expect(stderr).to.include("PENSTOCK_PORT must be a whole number from 0 to 65535, not 'eighty'");
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function requests(tenant: TestTenant): Promise<number> {
  const answer = await tenant.call('GET', '/v1/usage/summary');
  return (answer.body.data!['totals'] as { requests: number }).requests;
}
