import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unpackDebianPackages } from '../../../src/debian/unpack.ts';

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
  const root = join(CACHE_DIR, 'root');
  if ((await stat(root).catch(() => null)) === null) await unpackGo();
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

async function unpackGo(): Promise<void> {
  try {
    const limits = { updateMsMax: STEP_MS_MAX, stepMsMax: STEP_MS_MAX };
    await unpackDebianPackages({ names: PACKAGES, cacheDir: CACHE_DIR, ...limits });
  } catch (error) {
    throw new Error(
      'Helm was not found, and Go could not be unpacked from Debian packages to render the chart instead. ' +
        'Install Helm 3 so that `helm` is on the PATH.',
      { cause: error },
    );
  }
}
