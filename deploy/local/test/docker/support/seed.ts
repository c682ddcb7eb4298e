import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const LOCALSTACK = join(import.meta.dirname, '../../../../localstack');

const SEED_MS_MAX = 60_000;

/** Runs LocalStack's ready hook against an endpoint as LocalStack would, and returns what it printed. */
export async function seedAsLocalStack(options: {
  readonly endpoint: string;
  readonly account: string;
  readonly externalId: string;
}): Promise<string> {
  const bin = await mkdtemp(join(tmpdir(), 'penstock-awslocal-'));
  try {
    await symlink(process.execPath, join(bin, 'node'));
    const shim = `#!/bin/sh\nexec '${join(bin, 'node')}' '${join(import.meta.dirname, 'awslocal.ts')}' "$@"\n`;
    await writeFile(join(bin, 'awslocal'), shim, { mode: 0o755 });
    const { stdout } = await promisify(execFile)(
      'bash',
      [join(LOCALSTACK, 'ready.d/10-customer-account.sh')],
      {
        timeout: SEED_MS_MAX,
        env: {
          PATH: `${bin}${delimiter}${process.env['PATH']}`,
          AWS_ENDPOINT_URL: options.endpoint,
          SEED_ACCOUNT: options.account,
          SEED_EXTERNAL_ID: options.externalId,
          SEED_DIR: join(LOCALSTACK, 'seed'),
        },
      },
    );
    return stdout;
  } finally {
    await rm(bin, { recursive: true, force: true });
  }
}
