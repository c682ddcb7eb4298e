import { execFile } from 'node:child_process';
import { cp, glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, matchesGlob, resolve } from 'node:path';
import { promisify } from 'node:util';
import { assignments, parseStages, type Instruction, type Stage } from './dockerfile.ts';
import { createBase, createContainerTree, runStep } from './sandbox.ts';

export const ROOT = join(import.meta.dirname, '../../../../..');
const DOCKERFILE = join(ROOT, 'deploy/docker/Dockerfile');

/** An image: its file tree, and what the Dockerfile says of starting it. */
export interface Image {
  readonly tree: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

export interface ImageBuilder {
  /** Builds a stage and those that it needs, each once. */
  build(target: string): Promise<Image>;
  remove(): Promise<void>;
}

const EMPTY = { workdir: '/', env: {}, user: 'root', entrypoint: [], command: [], healthcheck: [] };

/** Builds images by the Dockerfile's own steps, without a container engine. @param hosts the text of /etc/hosts */
export async function createImageBuilder(hosts: string): Promise<ImageBuilder> {
  const stages = parseStages(await readFile(DOCKERFILE, 'utf8'));
  const ignore = (await readFile(`${DOCKERFILE}.dockerignore`, 'utf8')).trim().split('\n');
  const folder = await mkdtemp(join(tmpdir(), 'penstock-images-'));
  const built = new Map<string, Promise<Image>>();

  const build = (name: string): Promise<Image> => {
    const known = built.get(name);
    if (known !== undefined) return known;
    const stage = stages.find((one) => one.name === name);
    const image = stage === undefined ? base(name) : buildStage(stage);
    built.set(name, image);
    return image;
  };

  async function base(name: string): Promise<Image> {
    if (name === 'scratch') {
      const tree = join(folder, 'scratch');
      await createContainerTree(tree, hosts);
      return { tree, ...EMPTY };
    }
    if (!/^node:[\d.]+-bookworm-slim@sha256:/.test(name))
      throw new Error(`Only Node.js images are known here, not ${name}`);
    const tree = join(folder, 'base');
    await createBase(tree, hosts);
    return { tree, ...EMPTY };
  }

  async function buildStage(stage: Stage): Promise<Image> {
    const from = await build(stage.from);
    const tree = join(folder, stage.name);
    await copyTree(from.tree, tree);
    let image: Image = { ...from, tree };
    for (const instruction of stage.instructions) image = await step(image, instruction);
    return image;
  }

  async function step(image: Image, instruction: Instruction): Promise<Image> {
    const { keyword, words, text } = instruction;
    switch (keyword) {
      case 'WORKDIR':
        await mkdir(join(image.tree, words[0] ?? ''), { recursive: true });
        return { ...image, workdir: words[0] ?? '/' };
      case 'ENV':
        return { ...image, env: { ...image.env, ...assignments(text) } };
      case 'USER':
        return { ...image, user: words[0] ?? '' };
      case 'COPY':
        await copy(image, instruction);
        return image;
      case 'RUN':
        await runStep(image.tree, image.workdir, text);
        return image;
      case 'ENTRYPOINT':
        return { ...image, entrypoint: words };
      case 'CMD':
        return { ...image, command: words };
      case 'HEALTHCHECK':
        return { ...image, healthcheck: words.slice(words.indexOf('CMD') + 1) };
      case 'EXPOSE':
        return image;
      default:
        throw new Error(`The instruction ${keyword} is not known here`);
    }
  }

  async function copy(image: Image, { words, flags }: Instruction): Promise<void> {
    const sources = words.slice(0, -1);
    const target = join(image.tree, resolve(image.workdir, words.at(-1) ?? ''));
    if (flags['from'] !== undefined) {
      await copyTree(join((await build(flags['from'])).tree, sources[0] ?? ''), target);
      return;
    }
    for (const source of sources) {
      if (!(await inContext(source, ignore)))
        throw new Error(`${source} is not in the build context: .dockerignore leaves it out`);
      const to = (words.at(-1) ?? '').endsWith('/') ? join(target, basename(source)) : target;
      await mkdir(dirname(to), { recursive: true });
      await cp(join(ROOT, source), to, { recursive: true });
    }
  }

  return { build, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Trees have many files, and no step writes into one that is there: links are as good as copies, and quick. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await promisify(execFile)('cp', ['--archive', '--link', `${from}/.`, to]);
}

/** Docker's rules for our file: everything is left out but what a line with `!` brings back. */
async function inContext(source: string, ignore: readonly string[]): Promise<boolean> {
  const kept = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for await (const match of glob(source, { cwd: ROOT })) return kept.some((line) => matchesGlob(match, line));
  return false;
}
