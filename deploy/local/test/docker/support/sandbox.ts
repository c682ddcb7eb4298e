/**
 * Runs a program in a folder as its root file system, in a mount namespace of its own: what a container engine does, as
 * far as file systems and users go. While an image is built, the base image's programs and libraries are this machine's,
 * mounted read-only; a container has only what its image holds. Needs Linux, and root or user namespaces.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** As the official Node.js images have it. */
export const NODE_USER = Object.freeze({ name: 'node', id: 1000 });

/** Folders of this machine that stand for the base image's. */
const BASE_FOLDERS = ['usr', 'bin', 'sbin', 'lib', 'lib64', 'var/lib/dpkg'];

/** Where a build step finds programs; Node.js is mounted in the first folder. */
const BUILD_PATH = '/opt/node/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const RUN_MS_MAX = 120_000;

/** Makes what `FROM node:…` gives: an empty tree with users, certificates and Node.js with npm. */
export async function createBase(tree: string, hosts: string): Promise<void> {
  for (const folder of [
    ...BASE_FOLDERS,
    'dev',
    'proc',
    'etc',
    'tmp',
    'root',
    'opt/node/bin',
    'opt/npm',
    'opt/npm-cache',
  ])
    await mkdir(join(tree, folder), { recursive: true });
  await writeNetworkFiles(tree, hosts);
  const etc = (name: string) => join(tree, 'etc', name);
  await writeFile(
    etc('passwd'),
    `root:x:0:0::/root:/bin/sh\n${NODE_USER.name}:x:${NODE_USER.id}:${NODE_USER.id}::/:/bin/sh\n`,
  );
  await writeFile(etc('group'), `root:x:0:\n${NODE_USER.name}:x:${NODE_USER.id}:\n`);
  await writeFile(etc('nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
  for (const name of ['ld.so.cache', 'os-release', 'ssl', 'ca-certificates'])
    await cp(join('/etc', name), etc(name), { recursive: true, dereference: true }).catch(() => undefined);
  await writeFile(join(tree, 'opt/node/bin/node'), '');
  const npm = '#!/bin/sh\nexec /opt/node/bin/node /opt/npm/bin/npm-cli.js "$@"\n';
  await writeFile(join(tree, 'opt/node/bin/npm'), npm, { mode: 0o755 });
}

/** Makes what a container engine adds to `FROM scratch`: folders to mount on, and names of the network. */
export async function createContainerTree(tree: string, hosts: string): Promise<void> {
  for (const folder of ['dev', 'proc', 'etc', 'tmp']) await mkdir(join(tree, folder), { recursive: true });
  await writeNetworkFiles(tree, hosts);
}

async function writeNetworkFiles(tree: string, hosts: string): Promise<void> {
  await writeFile(join(tree, 'etc/hosts'), hosts);
  // A name may have several addresses, as that of a scaled service has.
  await writeFile(join(tree, 'etc/host.conf'), 'multi on\n');
  await cp('/etc/resolv.conf', join(tree, 'etc/resolv.conf'), { dereference: true }).catch(() => undefined);
}

/** Runs one build step as root, in a tree that may be written. */
export async function runStep(tree: string, workdir: string, command: string): Promise<void> {
  const script = `${MOUNTS}
    ${await baseMounts(tree)}
    mount --bind "$NPM" "$TREE/opt/npm"; mount --bind "$NPM_CACHE" "$TREE/opt/npm-cache"
    exec chroot "$TREE" /usr/bin/env -i PATH=${BUILD_PATH} HOME=/root npm_config_cache=/opt/npm-cache \\
      npm_config_prefer_offline=true sh -ec "cd '${workdir}'; $STEP"`;
  const { stdout: cache } = await run('npm', ['config', 'get', 'cache']);
  await mkdir(cache.trim(), { recursive: true });
  const env = {
    ...process.env,
    TREE: tree,
    STEP: command,
    NPM: await npmFolder(),
    NPM_CACHE: cache.trim(),
  };
  const [program = '', ...args] = await namespaced(script);
  await run(program, args, { env, timeout: RUN_MS_MAX });
}

/** What a container is started with. */
export interface ContainerOptions {
  readonly tree: string;
  readonly workdir: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folder of this machine that is mounted at /var/lib/penstock; none: nothing may be written there. */
  readonly volume?: string | undefined;
}

/** Starts a program as the unprivileged user on a root file system that is read-only but for /tmp and the volume. */
export async function startContainer(options: ContainerOptions): Promise<ChildProcess> {
  const { tree, workdir, command, env, volume } = options;
  const script = `${MOUNTS}
    mount -o remount,bind,ro "$TREE"
    mount -t tmpfs tmpfs "$TREE/tmp"; chmod 1777 "$TREE/tmp"
    if [ -n "$VOLUME" ]; then mount --bind "$VOLUME" "$TREE/var/lib/penstock"; fi
    exec env -i "$@"`;
  const variables = { HOME: '/', ...env };
  const { id } = NODE_USER;
  const inTree = ['unshare', `--root=${tree}`, `--wd=${workdir}`, `--setgid=${id}`, `--setuid=${id}`];
  const words = [
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    ...inTree,
    ...command,
  ];
  const [program = '', ...args] = await namespaced(script);
  return spawn(program, [...args, ...words], {
    env: { ...process.env, TREE: tree, VOLUME: volume ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Mounts of every sandbox. The tree is mounted on itself, so that it can be made read-only. */
const MOUNTS = `set -eu; PATH="$PATH:/usr/sbin:/sbin"
    mount --bind "$TREE" "$TREE"
    mount --rbind /dev "$TREE/dev"; mount --rbind /proc "$TREE/proc"`;

/** Mounts of what stands for the base image. */
async function baseMounts(tree: string): Promise<string> {
  const folders: string[] = [];
  for (const folder of BASE_FOLDERS) if (await isThere(`/${folder}`)) folders.push(folder);
  return `for folder in ${folders.join(' ')}; do
      mount --rbind "/$folder" "$TREE/$folder"; mount -o remount,bind,ro "$TREE/$folder"
    done
    mount --bind '${process.execPath}' '${tree}/opt/node/bin/node'`;
}

const isThere = (path: string) =>
  realpath(path).then(
    () => true,
    () => false,
  );

/** A mount namespace: by root as it is, else in a user namespace with the ids that the system lends the user. */
async function namespaced(script: string): Promise<readonly string[]> {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user', '--map-auto'];
  return ['unshare', ...user, '--mount', 'bash', '-c', script, 'sandbox'];
}

async function npmFolder(): Promise<string> {
  const { stdout } = await run('sh', ['-c', 'command -v npm']);
  const script = await realpath(stdout.trim());
  const folder = dirname(dirname(script));
  const { name } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { name: string };
  if (name !== 'npm') throw new Error(`npm is not where it was looked for: ${folder}`);
  return folder;
}
