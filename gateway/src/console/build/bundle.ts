/** What the console runs in the browser, as esbuild makes it. */
import { dirname, join, relative, sep } from 'node:path';
import { build, type Metafile } from 'esbuild';

const ROOT = join(import.meta.dirname, '../../../..');
const WEB = join(import.meta.dirname, '../web');

/** The browsers that it is made for: each had these when 2024 began. */
const TARGETS = ['chrome120', 'firefox121', 'safari17.2'];

export interface BuiltFile {
  /** With the hash of its content. */
  readonly name: string;
  readonly content: Uint8Array;
}

export interface Bundle {
  readonly files: readonly BuiltFile[];
  /** The first script, its style sheet, and what the script imports at once. */
  readonly entry: { readonly script: string; readonly style: string; readonly imports: readonly string[] };
  /** Folders of the packages that are in it. */
  readonly packages: readonly string[];
}

/** By output, the outputs that it imports at once, and those that these import. */
function staticImports(outputs: Metafile['outputs'], of: string, seen = new Set<string>()): Set<string> {
  for (const { path, kind } of outputs[of]?.imports ?? []) {
    if (kind !== 'import-statement' || seen.has(path)) continue;
    seen.add(path);
    staticImports(outputs, path, seen);
  }
  return seen;
}

/** `node_modules/@scope/name` of a file within. */
function packageOf(input: string): string | null {
  const at = input.lastIndexOf('node_modules/');
  if (at < 0) return null;
  const [first = '', second = ''] = input.slice(at + 'node_modules/'.length).split('/');
  return `${input.slice(0, at)}node_modules/${first.startsWith('@') ? `${first}/${second}` : first}`;
}

/** @throws Error with what is wrong, and where, when a source can't be bundled */
export async function bundleConsole(): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { main: join(WEB, 'main.tsx') },
    outdir: join(ROOT, 'gateway/dist/console'),
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: TARGETS,
    minify: true,
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    logLevel: 'warning',
  });
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith('web/main.tsx'),
  );
  if (entry === undefined) throw new Error('the bundle has no first script');
  const [script, { cssBundle }] = entry;
  if (cssBundle === undefined) throw new Error('the bundle has no style sheet');
  const packages = new Set(Object.keys(metafile.inputs).map(packageOf));
  return {
    files: outputFiles.map(({ path, contents }) => ({
      name: relative(dirname(path), path).split(sep).join('/'),
      content: contents,
    })),
    entry: {
      script: nameOf(script),
      style: nameOf(cssBundle),
      imports: [...staticImports(metafile.outputs, script)].map(nameOf),
    },
    packages: [...packages]
      .filter((folder) => folder !== null)
      .map((folder) => join(ROOT, folder))
      .sort(),
  };
}
