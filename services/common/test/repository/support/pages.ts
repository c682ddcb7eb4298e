import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's root. */
export const ROOT = join(import.meta.dirname, '../../../../..');

/** A page of documentation; `path` is relative to the root. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** Every Markdown file of ours. */
export function pages(): readonly Page[] {
  return ['.', 'deploy', 'gateway', 'proto', 'services'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
      .map((file) => {
        const path = join(folder, file);
        return { path, text: readFileSync(join(ROOT, path), 'utf8') };
      }),
  );
}

/** The text of one page. */
export function page(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The texts of all TypeScript files in `src` folders below a folder. */
export function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)src\/.*\.ts$/.test(`${folder}/${file}`) && !file.includes('node_modules'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'));
}

/** Every variable of ours that the code reads. */
export function settingsRead(): ReadonlySet<string> {
  return new Set(
    ['gateway', 'services', 'deploy/local']
      .flatMap(sources)
      .flatMap((text) => text.match(/\bPENSTOCK_[A-Z_]*[A-Z]\b/g) ?? []),
  );
}
