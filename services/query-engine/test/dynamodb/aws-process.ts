/** The local AWS endpoint in a process of its own: what it works does not delay whoever is measured. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { freePorts } from '../../../../deploy/local/src/stack/ports.ts';

const ACCOUNT = '111122223333';
const MAIN = join(import.meta.dirname, '../../../../deploy/local/src/aws/main.ts');

export type AwsProcess = Awaited<ReturnType<typeof startAwsProcess>>;

export async function startAwsProcess(accountId = ACCOUNT) {
  const dataDir = await mkdtemp(join(tmpdir(), 'aws-process-'));
  const [port = 0] = await freePorts(1);
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, PENSTOCK_AWS_PORT: String(port), PENSTOCK_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('the local AWS endpoint did not start');
    }),
  ]);
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: accountId, secretAccessKey: 'test' },
  });
  return {
    client,
    endpoint,
    accountId,
    async close() {
      client.destroy();
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
