import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { CHILD_ENVIRONMENT } from '../../common/test/support/child-environment.ts';
import { untilSome } from '../../common/test/support/until.ts';
import { startTestDynamo } from './support/dynamodb.ts';
import type { TestDynamo } from './support/dynamodb.ts';
import { freePorts } from '../../../deploy/local/src/stack/ports.ts';

interface Running {
  readonly child: ChildProcess;
  readonly healthPort: number;
  output(): string;
  /** Null: it still runs. */
  exitCode(): number | null;
}

describe('auth process', function () {
  this.timeout(60_000);
  let dynamo: TestDynamo;
  const running: Running[] = [];
  const key = randomBytes(32).toString('base64');

  async function start(change: Record<string, string> = {}): Promise<Running> {
    const [healthPort = 0] = await freePorts(1);
    const env = {
      PATH: process.env['PATH'] ?? '',
      ...CHILD_ENVIRONMENT,
      PENSTOCK_RPC_PORT: '0',
      PENSTOCK_HEALTH_PORT: String(healthPort),
      PENSTOCK_AWS_ENDPOINT: dynamo.url,
      // Nobody answers there: auth starts all the same, and counts tries in its memory.
      PENSTOCK_REDIS_URL: 'redis://127.0.0.1:1',
      PENSTOCK_CREATE_TABLES: 'true',
      PENSTOCK_BASE_URL: 'http://penstock.test',
      PENSTOCK_MCP_URL: 'http://mcp.test',
      PENSTOCK_KEY_ENCRYPTION_KEY: key,
      PENSTOCK_OPERATOR_TOKEN: 'pop_0123456789abcdef',
      AWS_ACCESS_KEY_ID: '000000000000',
      AWS_SECRET_ACCESS_KEY: 'test',
      ...change,
    };
    const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], { env });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const made = { child, healthPort, output: () => text, exitCode: () => child.exitCode };
    running.push(made);
    return made;
  }

  async function settled(part: Running): Promise<'ready' | 'ended'> {
    const state = async (): Promise<'ready' | 'ended' | null> => {
      if (part.exitCode() !== null) return 'ended';
      const { ok } = await fetch(`http://127.0.0.1:${part.healthPort}/readyz`).catch(() => ({ ok: false }));
      return ok ? 'ready' : null;
    };
    return untilSome(state).catch(() => {
      throw new Error(`Neither ready nor ended: ${part.output()}`);
    });
  }

  before(async () => {
    dynamo = await startTestDynamo();
  });
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await dynamo.close();
  });

  it('starts twice at once on nothing, and ends with 0 when it is told to', async () => {
    const both = await Promise.all([start(), start()]);
    expect(await Promise.all(both.map(settled))).to.deep.equal(['ready', 'ready']);
    for (const { child } of both) child.kill('SIGTERM');
    await Promise.all(both.map(({ child }) => once(child, 'exit')));
    expect(both.map((part) => part.exitCode())).to.deep.equal([0, 0]);
  });

  it('ends with 1 under another encryption key, naming the variable and not the key', async () => {
    const wrong = randomBytes(32).toString('base64');
    const part = await start({ PENSTOCK_KEY_ENCRYPTION_KEY: wrong });
    expect(await settled(part)).to.equal('ended');
    expect(part.exitCode()).to.equal(1);
    expect(part.output()).to.include('PENSTOCK_KEY_ENCRYPTION_KEY lacks keys');
    expect(part.output()).not.to.include(wrong);
  });

  it('ends with 1 once the key is gone that values lie under, and starts with it behind the new one', async () => {
    const anew = randomBytes(32).toString('base64');
    const both = await start({ PENSTOCK_KEY_ENCRYPTION_KEY: `${anew},${key}` });
    expect(await settled(both)).to.equal('ready');
    const alone = await start({ PENSTOCK_KEY_ENCRYPTION_KEY: anew });
    expect(await settled(alone)).to.equal('ended');
    expect(alone.exitCode()).to.equal(1);
    expect(alone.output()).to.include('PENSTOCK_KEY_ENCRYPTION_KEY lacks keys').and.include('key re-encrypt');
    for (const secret of [anew, key]) expect(alone.output()).not.to.include(secret);
    both.child.kill('SIGTERM');
    await once(both.child, 'exit');
  });

  it('ends with 1 for a key that is too short, naming the variable', async () => {
    const part = await start({ PENSTOCK_KEY_ENCRYPTION_KEY: 'c2hvcnQ=' });
    expect(await settled(part)).to.equal('ended');
    expect(part.exitCode()).to.equal(1);
    expect(part.output()).to.include('PENSTOCK_KEY_ENCRYPTION_KEY: must be 32 bytes in base64');
  });
});
