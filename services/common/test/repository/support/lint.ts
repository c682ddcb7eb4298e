import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './pages.ts';

export interface Finding {
  /** As `plugin(rule)`. */
  readonly code: string;
  readonly message: string;
  /** The path of its file, as it was given. */
  readonly filename: string;
}

/** What the linter finds in files of these texts, by the rules that hold for their paths; types are not looked at. */
export async function lint(files: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-lint-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const args = ['--config', join(ROOT, '.oxlintrc.json'), '--format', 'json', '.'];
    const output = await new Promise<string>((resolve) => {
      execFile(join(ROOT, 'node_modules/.bin/oxlint'), args, { cwd: folder }, (_, stdout) => resolve(stdout));
    });
    const { diagnostics } = JSON.parse(output) as { readonly diagnostics: readonly Finding[] };
    return diagnostics;
  } finally {
    await rm(folder, { recursive: true });
  }
}
