/** The licenses of the packages that are in the bundle: each asks to be handed on with its code. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltFile } from './bundle.ts';

const HASH_CHARS = 8;

/** @throws Error where a package has no license file */
export async function licenseFile(packages: readonly string[]): Promise<BuiltFile> {
  const parts = await Promise.all(
    packages.map(async (folder) => {
      const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
        name: string;
        version: string;
      };
      const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
      if (file === undefined) throw new Error(`${name} has no license file: it can't be handed on`);
      return `${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
    }),
  );
  const content = Buffer.from(parts.join(`\n${'-'.repeat(80)}\n\n`));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARS);
  return { name: `licenses-${hash}.txt`, content };
}
