import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Secrets of one embedded stack; made once and kept with its data, readable by the owner only. */
export interface StackSecrets {
  /** Opens auth's AdminService. */
  readonly operatorToken: string;
  /** Encrypts signing keys and one-time-code secrets at rest: 32 bytes, base64. */
  readonly keyEncryptionKey: string;
  /** Encrypts what engines keep of pages in Redis: 32 bytes, base64. */
  readonly pagePositionKey: string;
}

export async function loadSecrets(dataDir: string): Promise<StackSecrets> {
  const file = join(dataDir, 'secrets.json');
  let kept: Partial<StackSecrets> = {};
  try {
    kept = JSON.parse(await readFile(file, 'utf8')) as Partial<StackSecrets>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // A stack of an older release has fewer.
  const secrets: StackSecrets = {
    operatorToken: `pop_${randomBytes(32).toString('base64url')}`,
    keyEncryptionKey: randomBytes(32).toString('base64'),
    pagePositionKey: randomBytes(32).toString('base64'),
    ...kept,
  };
  if (Object.keys(kept).length < Object.keys(secrets).length)
    await writePrivateFile(file, JSON.stringify(secrets));
  return secrets;
}

/** Whole or not at all: written beside and renamed. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}
