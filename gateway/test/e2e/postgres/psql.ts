/** Finds the real psql: on the PATH, or in Debian's packages, unpacked without root. */
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { libraryFolder, unpackDebianPackages } from '../../../../deploy/local/src/debian/unpack.ts';

const CACHE_DIR = join(import.meta.dirname, '../../../../node_modules/.cache/penstock/psql');

/** The version whose catalogs we show comes first: Debian 12 has it. */
const VERSIONS = ['15', '17', '16', '14'];
const STEP_MS_MAX = 120_000;

interface Psql {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

const executable = async (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

async function unpacked(): Promise<Psql | null> {
  const root = join(CACHE_DIR, 'root');
  for (const version of VERSIONS) {
    const path = join(root, `usr/lib/postgresql/${version}/bin/psql`);
    if (await executable(path)) return { path, env: { LD_LIBRARY_PATH: libraryFolder(root) } };
  }
  return null;
}

async function find(): Promise<Psql> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, 'psql');
    if (folder !== '' && (await executable(path))) return { path, env: {} };
  }
  const known = await unpacked();
  if (known !== null) return known;
  for (const version of VERSIONS) {
    const names = [`postgresql-client-${version}`, 'libpq5', 'libreadline8', 'libldap-2.5-0', 'libsasl2-2'];
    await unpackDebianPackages({
      names,
      cacheDir: CACHE_DIR,
      updateMsMax: STEP_MS_MAX,
      stepMsMax: STEP_MS_MAX,
    }).catch(() => undefined);
    const psql = await unpacked();
    if (psql !== null) return psql;
  }
  throw new Error(
    'psql was not found, nor unpacked: install postgresql-client, so that `psql` is on the PATH',
  );
}

let found: Promise<Psql> | null = null;

export const findPsql = (): Promise<Psql> => (found ??= find());
