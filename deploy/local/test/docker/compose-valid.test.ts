import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { composeFaults } from './support/compose-linter.ts';

describe('compose files', () => {
  for (const file of ['docker-compose.yml', 'deploy/observability/docker-compose.yml'])
    it(`are valid by the Compose Specification and pass the linter: ${file}`, async () => {
      expect(await composeFaults(file)).to.deep.equal([]);
    });

  it('would not pass with an unknown key, a wrong type, an image of any version or a port that is open to all', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-compose-'));
    const faultsOf = async (service: object) => {
      const file = join(folder, 'compose.yml');
      await writeFile(file, stringify({ services: { a: { image: 'a:1.0.0', ...service } } }));
      return composeFaults(file);
    };
    expect(await faultsOf({})).to.deep.equal([]);
    for (const service of [
      { color: 'blue' },
      { cap_drop: 'ALL' },
      { image: 'a:latest' },
      { ports: ['80:80'] },
      { volumes: 3 },
    ])
      expect(await faultsOf(service), JSON.stringify(service)).to.not.be.empty;
    await rm(folder, { recursive: true });
  });
});
