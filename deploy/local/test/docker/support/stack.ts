/**
 * The compose file's services, each from its image and with the environment that the compose file gives it. What Docker
 * would add: a name for each container (addresses of the loopback network in /etc/hosts), Redis and LocalStack, which
 * are the real Redis and the local AWS endpoint here.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from '../../../../../services/common/test/support/until.ts';
import { startAwsEndpoint } from '../../../src/aws/server.ts';
import { findRedisBinary } from '../../../src/stack/redis-binary.ts';
import type { ComposeFile, ComposeService } from './compose.ts';
import { createImageBuilder, ROOT } from './image.ts';
import { NODE_USER, startContainer } from './sandbox.ts';
import { seedAsLocalStack } from './seed.ts';

const REDIS_CACHE_DIR = join(ROOT, 'node_modules/.cache/penstock/redis');
const HEALTHY_MS_MAX = 60_000;
const STOP_MS_MAX = 20_000;
const SEED = { account: '111122223333', externalId: '2f9f4a54-0c4e-4a3c-9a5e-6d2f1b1c7e10' };

export interface Container {
  readonly name: string;
  readonly service: string;
  readonly address: string;
  readonly process: ChildProcess;
}

export interface ContainerStack {
  readonly containers: readonly Container[];
  readonly gatewayUrl: string;
  readonly seeded: typeof SEED;
  /** The file trees of the images, each once. */
  trees(): Promise<readonly string[]>;
  /** Runs a program in a service's image with its environment, as `docker compose exec` does; returns its output. */
  exec(service: string, command: readonly string[]): Promise<string>;
  /** SIGTERM to each; returns the exit codes by name. */
  stop(): Promise<Readonly<Record<string, number | null>>>;
  close(): Promise<void>;
}

/**
 * Builds the images of the services that are named and starts these.
 *
 * @param scale replicas by service; one where not named
 */
export async function startFromImages(
  compose: ComposeFile,
  started: readonly string[],
  scale: Readonly<Record<string, number>>,
): Promise<ContainerStack> {
  // Workers run from the image that their service builds.
  const targets = new Map(
    Object.values(compose.services).flatMap(({ image = '', build }) =>
      build?.target === undefined ? [] : [[image, build.target] as const],
    ),
  );
  const targetOf = (service: string) => targets.get(compose.services[service]?.image ?? '');
  const names = Object.keys(compose.services).flatMap((service) =>
    Array.from({ length: scale[service] ?? 1 }, (_, i) => ({ service, name: `${service}-${i + 1}` })),
  );
  const addressed = names.map((one, i) => ({ ...one, address: `127.20.0.${i + 1}` }));
  const addressOf = (service: string) => addressed.find((one) => one.service === service)?.address ?? '';
  const hosts = ['127.0.0.1 localhost', ...addressed.map(({ address, service }) => `${address} ${service}`)];
  const images = await createImageBuilder(`${hosts.join('\n')}\n`);
  const folder = await mkdtemp(join(tmpdir(), 'penstock-containers-'));

  const redis = await startComposeRedis(compose.services['redis'], addressOf('redis'), folder);
  const aws = await startAwsEndpoint({
    host: addressOf('localstack'),
    port: 4566,
    dataDir: join(folder, 'aws'),
  });
  await seedAsLocalStack({ endpoint: aws.url, ...SEED });

  const start = async (service: string, address: string, exec?: readonly string[]): Promise<ChildProcess> => {
    const definition = compose.services[service];
    const image = await images.build(targetOf(service) ?? '');
    const mounted = definition?.volumes?.[0]?.split(':')[0];
    const volume = mounted === undefined ? undefined : join(folder, mounted);
    if (volume !== undefined) {
      await mkdir(volume, { recursive: true });
      await chown(volume, NODE_USER.id, NODE_USER.id);
    }
    return startContainer({
      tree: image.tree,
      workdir: image.workdir,
      command: exec ?? [...image.entrypoint, ...(definition?.command ?? image.command)],
      // All containers share one loopback network here, so each listens on its own address only.
      env: { ...image.env, ...definition?.environment, PENSTOCK_HOST: address },
      volume,
    });
  };

  const containers: Container[] = [];
  const close = async () => {
    for (const { process } of containers) process.kill('SIGKILL');
    redis.kill('SIGKILL');
    await aws.close();
    await images.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const { service, name, address } of addressed) {
      if (targetOf(service) === undefined || !started.includes(service)) continue;
      containers.push({ name, service, address, process: await start(service, address) });
    }
    await Promise.all(containers.map(healthy));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    containers,
    gatewayUrl: `http://${addressOf('gateway')}:8080`,
    seeded: SEED,
    async trees() {
      const wanted = new Set(started.flatMap((service) => targetOf(service) ?? []));
      const built = await Promise.all([...wanted].map((target) => images.build(target)));
      return built.map(({ tree }) => tree);
    },
    async exec(service, command) {
      const process = await start(service, addressOf(service), command);
      const [output, errors] = await Promise.all([text(process.stdout!), text(process.stderr!)]);
      if (output === '') throw new Error(`${command.join(' ')} printed nothing but: ${errors}`);
      return output;
    },
    async stop() {
      const ended = containers.map(async ({ name, process }) => {
        const exited = once(process, 'exit', { signal: AbortSignal.timeout(STOP_MS_MAX) });
        process.kill('SIGTERM');
        return [name, (await exited)[0] as number | null] as const;
      });
      return Object.fromEntries(await Promise.all(ended));
    },
    close,
  };
}

/** Redis as the compose file starts it, on its own address. */
async function startComposeRedis(
  service: ComposeService | undefined,
  address: string,
  folder: string,
): Promise<ChildProcess> {
  const binary = await findRedisBinary(REDIS_CACHE_DIR);
  const dir = join(folder, 'redis');
  await mkdir(dir);
  const [, ...args] = service?.command ?? [];
  return spawn(binary.path, [...args, '--bind', address, '--port', '6379', '--dir', dir], {
    env: { ...process.env, ...binary.env },
    stdio: 'ignore',
  });
}

/** Waits for what the image's health check asks. */
async function healthy({ name, address, process }: Container): Promise<void> {
  let log = '';
  const keep = (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000));
  process.stdout?.on('data', keep);
  process.stderr?.on('data', keep);
  const isHealthy = async (): Promise<boolean> => {
    if (process.exitCode !== null) throw new Error(`${name} is not healthy: ${log}`);
    return (await fetch(`http://${address}:9090/readyz`).catch(() => null))?.ok === true;
  };
  await until(isHealthy, { timeoutMs: HEALTHY_MS_MAX }).catch(() => {
    throw new Error(`${name} is not healthy: ${log}`);
  });
}
