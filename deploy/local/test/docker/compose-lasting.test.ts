import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseStages } from './support/dockerfile.ts';
import { composeConfig, type ComposeFile, type ComposeService } from './support/compose.ts';
import { page } from '../../../../services/common/test/repository/support/pages.ts';
import { ROOT } from './support/image.ts';

const FILES = ['docker-compose.yml', 'deploy/observability/docker-compose.yml'];

/** Folders that an image declares as volumes: Docker makes an anonymous one for each where the file names none. */
const IMAGE_VOLUMES: Readonly<Record<string, readonly string[]>> = {
  redis: ['/data'],
  localstack: ['/var/lib/localstack'],
  prometheus: ['/prometheus'],
};

/** What was found under a real Docker engine, as facts of the files: a test cannot have an engine everywhere. */
describe('the stack in Docker, when it is started again', () => {
  let compose: ComposeFile;
  let services: readonly (readonly [string, ComposeService])[];
  before(async () => {
    compose = await composeConfig(FILES);
    services = Object.entries(compose.services);
  });

  it('runs Redis as the user that owns its data: root without capabilities may not read a folder of 0700', () => {
    const { redis } = compose.services;
    expect(redis?.user).to.equal('redis');
    for (const [name, { cap_drop, cap_add }] of services) {
      expect(cap_add, name).to.equal(undefined);
      if (name !== 'localstack') expect(cap_drop, name).to.deep.equal(['ALL']);
    }
  });

  it('builds each image once, for an image that is built anew makes anew every container that has it', async () => {
    const stages = parseStages(await readFile(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8'));
    const own = services.filter(([, { image = '' }]) => image.startsWith('penstock/'));
    expect(own).to.have.length(8);
    for (const image of new Set(own.map(([, service]) => service.image))) {
      const having = own.filter(([, service]) => service.image === image);
      const builders = having.filter(([, { build }]) => build !== undefined);
      expect(builders, image).to.have.length(1);
      const target = builders[0]?.[1].build?.target ?? '';
      expect(image).to.equal(`penstock/${target}:local`);
      expect(stages.map(({ name }) => name)).to.include(target);
      // There is no registry that has it; without this, Compose would ask one.
      for (const [name, { build, pull_policy }] of having)
        expect(pull_policy, name).to.equal(build === undefined ? 'never' : undefined);
    }
  });

  it('asks how Redis and LocalStack are often while they start, and seldom from then on', () => {
    for (const name of ['redis', 'localstack'])
      expect(compose.services[name]?.healthcheck, name).to.include({ interval: '30s', start_interval: '1s' });
  });

  it('gives each volume a name, so that `make down VOLUMES=1` leaves none behind, nor `make down` nameless ones', () => {
    const used = new Set<string>();
    for (const [name, { volumes = [] }] of services) {
      for (const volume of volumes) {
        expect(volume, name).to.match(/^[\w./-]+:\/[\w./-]+(:ro)?$/);
        if (/^\w/.test(volume)) used.add(volume.split(':')[0] ?? '');
      }
      const mounted = volumes.map((volume) => volume.split(':')[1]);
      expect(mounted, name).to.include.members([...(IMAGE_VOLUMES[name] ?? [])]);
    }
    expect([...used].sort()).to.deep.equal(Object.keys(compose.volumes ?? {}).sort());
  });

  it('has a first process for what a PostgreSQL server that is killed leaves: Node.js as the first keeps dead processes', () => {
    expect(compose.services['postgres']?.init).to.equal(true);
  });

  it('has a page that says what is seeded, what Docker it takes and what `make down` forgets', () => {
    const text = page('deploy/README.md').replaceAll(/\s+/g, ' ');
    const { environment = {} } = compose.services['localstack'] ?? {};
    for (const name of ['SEED_ACCOUNT', 'SEED_EXTERNAL_ID']) {
      expect(environment[name], name).to.have.length.above(10);
      expect(text, name).to.include(`\`${environment[name]}\` (\`${name}\``);
    }
    expect(text).to.match(/Docker Engine \d+ or later .* Docker Compose \d+\.\d+ or later/);
    expect(text).to.include('Tenants, schemas and usage counters are gone');
  });

  it('gives each process its drain and some time to close', () => {
    const grace = (env: Readonly<Record<string, string>>) =>
      composeConfig(['docker-compose.yml'], env).then(
        ({ services }) => services['gateway']?.stop_grace_period,
      );
    return Promise.all([
      grace({}).then((period) => expect(period).to.equal('10000ms10s')),
      grace({ PENSTOCK_DRAIN_TIMEOUT_MS: '300000' }).then((period) => expect(period).to.equal('300000ms10s')),
    ]);
  });
});
