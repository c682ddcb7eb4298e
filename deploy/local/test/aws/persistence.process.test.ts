import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import {
  allow,
  clientsOf,
  createAccessRole,
  createOrders,
  CUSTOMER_ACCOUNT,
  startLocalAws,
} from './support/local-aws.ts';

const MAIN = new URL('../../src/aws/main.ts', import.meta.url).pathname;
const KEY = { pk: { S: 'a' }, sk: { N: '1' } };

describe('What outlives the endpoint', () => {
  let dataDir: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'local-aws-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  async function startProcess() {
    const env = { ...process.env, PENSTOCK_AWS_PORT: '0', PENSTOCK_DATA_DIR: dataDir };
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, aws: clientsOf((JSON.parse(line.toString()) as { url: string }).url) };
  }

  /** Process IDs of this data directory's emulators. */
  async function emulators(): Promise<string[]> {
    const found: string[] = [];
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (command.includes(dataDir)) found.push(pid);
    }
    return found;
  }

  async function untilNoEmulatorRuns(): Promise<string[]> {
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await emulators()).length === 0) return [];
      await delay(20);
    }
    return emulators();
  }

  it('is roles, tables, items and sessions, over a restart', async () => {
    const first = await startLocalAws({ dataDir });
    await createOrders(first.dynamo(CUSTOMER_ACCOUNT));
    await createAccessRole(first, allow(['dynamodb:GetItem']));
    await first.dynamo(CUSTOMER_ACCOUNT).send(new PutItemCommand({ TableName: 'orders', Item: KEY }));
    const credentials = await first.assume();
    await first.close();
    const second = await startLocalAws({ dataDir });
    const client = second.dynamo(CUSTOMER_ACCOUNT, { credentials });
    const { Item } = await client.send(new GetItemCommand({ TableName: 'orders', Key: KEY }));
    expect(Item).to.deep.equal(KEY);
    await second.close();
  });

  it('is the same after SIGKILL, and no emulator stays behind', async () => {
    const { child, aws } = await startProcess();
    await createOrders(aws.dynamo(CUSTOMER_ACCOUNT));
    await createAccessRole(aws, allow(['dynamodb:GetItem']));
    await aws.dynamo(CUSTOMER_ACCOUNT).send(new PutItemCommand({ TableName: 'orders', Item: KEY }));
    const credentials = await aws.assume();
    expect(await emulators()).not.to.deep.equal([]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await untilNoEmulatorRuns()).to.deep.equal([]);
    const { aws: again } = await startProcess();
    const client = again.dynamo(CUSTOMER_ACCOUNT, { credentials });
    const { Item } = await client.send(new GetItemCommand({ TableName: 'orders', Key: KEY }));
    expect(Item).to.deep.equal(KEY);
  });

  it('ends with code 0 on SIGTERM, with its emulators', async () => {
    const { child, aws } = await startProcess();
    await createOrders(aws.dynamo(CUSTOMER_ACCOUNT));
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
    expect(await emulators()).to.deep.equal([]);
  });

  it('needs its port: it says which setting to change when that is taken', async () => {
    const aws = await startLocalAws({ dataDir });
    const env = { ...process.env, PENSTOCK_AWS_PORT: new URL(aws.url).port, PENSTOCK_DATA_DIR: dataDir };
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    children.push(child);
    const [[said], [code]] = (await Promise.all([once(child.stderr, 'data'), once(child, 'exit')])) as [
      [Buffer],
      [number],
    ];
    expect(code).to.equal(1);
    expect(said.toString()).to.contain('set PENSTOCK_AWS_PORT');
    await aws.close();
  });

  it('is a store that is started again when its emulator dies, once for all who wait', async () => {
    const aws = await startLocalAws({ dataDir });
    const client = aws.dynamo(CUSTOMER_ACCOUNT);
    await createOrders(client);
    await client.send(new PutItemCommand({ TableName: 'orders', Item: KEY }));
    for (const pid of await emulators()) {
      const program = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      if (program.trim() === 'dynoxide') process.kill(Number(pid), 'SIGKILL');
    }
    const get = new GetItemCommand({ TableName: 'orders', Key: KEY });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.send(get)));
    for (const { Item } of answers) expect(Item).to.deep.equal(KEY);
    const commands = await Promise.all(
      (await emulators()).map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')),
    );
    expect(commands.filter((name) => name.trim() === 'dynoxide')).to.have.length(1);
    await aws.close();
  });
});
