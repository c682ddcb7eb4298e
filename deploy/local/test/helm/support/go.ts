import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CACHE_DIR = join(import.meta.dirname, '../../../../../node_modules/.cache/penstock/go');
const SOURCE = join(import.meta.dirname, 'render/main.go');

/** Debian's Go and the sources that the renderer is built from. */
const PACKAGES = [
  'golang-1.19-go',
  'golang-1.19-src',
  'golang-github-google-uuid-dev',
  'golang-github-huandu-xstrings-dev',
  'golang-github-imdario-mergo-dev',
  'golang-github-masterminds-goutils-dev',
  'golang-github-masterminds-semver-dev',
  'golang-github-masterminds-sprig-dev',
  'golang-github-mitchellh-copystructure-dev',
  'golang-github-mitchellh-reflectwalk-dev',
  'golang-github-shopspring-decimal-dev',
  'golang-github-spf13-cast-dev',
  'golang-golang-x-crypto-dev',
  'golang-gopkg-yaml.v3-dev',
];

const STEP_MS_MAX = 240_000;

/**
 * The renderer's path; built once, with Debian's packages unpacked into a cache folder (no root is needed).
 * @throws Error that says what to install where that fails
 */
export async function buildRenderer(): Promise<string> {
  const binary = join(CACHE_DIR, 'render');
  const built = await stat(binary).catch(() => null);
  if (built !== null && built.mtimeMs > (await stat(SOURCE)).mtimeMs) return binary;
  await mkdir(CACHE_DIR, { recursive: true });
  const root = join(CACHE_DIR, 'root');
  if ((await stat(root).catch(() => null)) === null) await unpack(root);
  const env = {
    PATH: process.env['PATH'],
    GOROOT: join(root, 'usr/lib/go-1.19'),
    GOPATH: join(root, 'usr/share/gocode'),
    GO111MODULE: 'off',
    GOCACHE: join(CACHE_DIR, 'build'),
  };
  const args = ['build', '-o', binary, SOURCE];
  await run(join(env.GOROOT, 'bin/go'), args, { env, timeout: STEP_MS_MAX });
  return binary;
}

async function unpack(root: string): Promise<void> {
  const work = await mkdtemp(join(CACHE_DIR, 'unpack-'));
  try {
    await mkdir(join(work, 'lists/partial'), { recursive: true });
    await mkdir(join(work, 'cache/archives/partial'), { recursive: true });
    const options = [
      ['-o', `Dir::State::lists=${work}/lists`],
      ['-o', `Dir::Cache=${work}/cache`],
      ['-o', 'Debug::NoLocking=true'],
    ].flat();
    const settings = { cwd: work, timeout: STEP_MS_MAX };
    await run('apt-get', [...options, 'update'], settings);
    await run('apt-get', [...options, 'download', ...PACKAGES], settings);
    for (const file of await readdir(work))
      if (file.endsWith('.deb')) await run('dpkg-deb', ['-x', file, 'root'], settings);
    await rename(join(work, 'root'), root);
  } catch (error) {
    throw new Error(
      'Helm was not found, and Go could not be unpacked from Debian packages to render the chart instead. ' +
        'Install Helm 3 so that `helm` is on the PATH.',
      { cause: error },
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
