/**
 * `node gateway/src/console/build/main.ts`: bundles what the console runs in the browser into `gateway/dist/console`:
 * files with their hash in the name, each compressed beside itself, and manifest.json, which says what there is.
 */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleConsole } from './bundle.ts';
import { compressed } from './compress.ts';
import { licenseFile } from './licenses.ts';
import { manifestOf } from './manifest.ts';

const FOLDER = join(import.meta.dirname, '../../../dist/console');

const bundle = await bundleConsole();
const files = await compressed([...bundle.files, await licenseFile(bundle.packages)]);
await mkdir(FOLDER, { recursive: true });
await Promise.all(files.map(({ name, content }) => writeFile(join(FOLDER, name), content)));
// The manifest comes last, whole: a gateway that starts meanwhile finds the old files or the new ones.
const unfinished = join(FOLDER, `manifest.json.${process.pid}`);
await writeFile(unfinished, `${JSON.stringify(manifestOf(bundle, files), null, 2)}\n`);
await rename(unfinished, join(FOLDER, 'manifest.json'));
const kept = new Set([...files.map(({ name }) => name), 'manifest.json']);
const stale = (await readdir(FOLDER)).filter((name) => !kept.has(name));
await Promise.all(stale.map((name) => rm(join(FOLDER, name), { force: true })));
