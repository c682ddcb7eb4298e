import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { validate } from 'dockerfile-utils';
import { parseStages } from './support/dockerfile.ts';
import { ROOT } from './support/image.ts';

const DOCKERFILE = join(ROOT, 'deploy/docker/Dockerfile');
const SERVICES = ['auth', 'query-engine', 'schema-registry', 'usage-metering'];

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

  it('has an image for the gateway and for each service', async () => {
    const folders = await readdir(join(ROOT, 'services'), { withFileTypes: true });
    const services = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(services).to.have.members([...SERVICES, 'common']);
    expect(parseStages(text).map(({ name }) => name)).to.include.members(['gateway', ...SERVICES]);
  });

  it('runs each image as an unprivileged user, with a health check', () => {
    const stages = parseStages(text);
    const runtime = stages.find(({ name }) => name === 'runtime');
    const words = (keyword: string) => runtime?.instructions.find((one) => one.keyword === keyword)?.words;
    expect(words('USER')).to.deep.equal(['node']);
    expect(words('HEALTHCHECK')?.join(' ')).to.contain('/readyz');
    for (const name of ['gateway', ...SERVICES]) {
      const stage = stages.find((one) => one.name === name);
      expect(stage?.from, name).to.equal('runtime');
      expect(stage?.instructions.map(({ keyword }) => keyword)).to.not.include('USER');
    }
  });

  it('runs the Node.js version that the tests run', async () => {
    const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      devDependencies: { node: string };
    };
    expect(parseStages(text).map(({ from }) => from)).to.include(
      `node:${devDependencies.node}-bookworm-slim`,
    );
  });
});
