import { glob, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What Node.js takes of `exports` (https://nodejs.org/api/packages.html#conditional-exports), for `import` and `require`. */
const CONDITIONS: readonly (readonly string[])[] = [
  ['node', 'import', 'module-sync', 'default'],
  ['node', 'require', 'module-sync', 'default'],
];

type Target = string | null | readonly Target[] | { readonly [condition: string]: Target };

interface Manifest {
  readonly main?: string;
  readonly exports?: Target;
}

/** Files that packages of a tree lead Node.js to and that are not there, relative to the tree; empty where all are. */
export async function missingEntries(tree: string): Promise<readonly string[]> {
  const missing: string[] = [];
  const manifests = glob(['**/node_modules/*/package.json', '**/node_modules/@*/*/package.json'], {
    cwd: tree,
  });
  for await (const path of manifests) {
    const manifest = JSON.parse(await readFile(join(tree, path), 'utf8')) as Manifest;
    for (const entry of entries(manifest)) {
      const file = join(dirname(path), entry);
      if (!(await isThere(join(tree, file)))) missing.push(file);
    }
  }
  return missing;
}

function entries({ main, exports }: Manifest): readonly string[] {
  if (exports === undefined) return main === undefined || /\.[cm]?js$/.test(main) === false ? [] : [main];
  const paths =
    typeof exports === 'object' && exports !== null && Object.keys(exports).some((key) => key.startsWith('.'))
      ? Object.values(exports)
      : [exports];
  const found = paths.flatMap((target: Target) =>
    CONDITIONS.flatMap((conditions) => resolve(target, conditions)),
  );
  // A pattern stands for many; types are nothing that runs.
  return [...new Set(found)].filter((file) => /\.[cm]?js$/.test(file) && !file.includes('*'));
}

/** The first that matches, as Node.js has it. */
function resolve(target: Target | undefined, conditions: readonly string[]): readonly string[] {
  if (typeof target === 'string') return [target];
  if (target === null || target === undefined) return [];
  if (Array.isArray(target)) return resolve((target as readonly Target[])[0], conditions);
  for (const [condition, inner] of Object.entries(target)) {
    if (!conditions.includes(condition)) continue;
    const found = resolve(inner, conditions);
    if (found.length > 0) return found;
  }
  return [];
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
