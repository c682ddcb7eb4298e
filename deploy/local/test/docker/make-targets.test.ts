import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from './support/image.ts';

const OBSERVABILITY = '--file deploy/observability/docker-compose.yml';

/** With a `docker` that writes down what it was asked for: what Compose does then was tried with the real one. */
describe('make', () => {
  let bin: string;
  beforeEach(async () => {
    bin = await mkdtemp(join(tmpdir(), 'penstock-docker-'));
    const docker = `#!/bin/sh
      echo "$*" >> "${bin}/asked"
      case "$*" in *' port gateway 8080') echo 127.0.0.1:9123;; *' port postgres 5432') echo 127.0.0.1:9124;; esac
    `;
    await writeFile(join(bin, 'docker'), docker, { mode: 0o755 });
  });
  afterEach(() => rm(bin, { recursive: true }));

  /** What it printed, and what it asked Docker for, a line each. */
  const make = async (...words: readonly string[]) => {
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
    const { stdout } = await promisify(execFile)('make', ['--no-print-directory', ...words], {
      cwd: ROOT,
      env,
    });
    const asked = await readFile(join(bin, 'asked'), 'utf8').catch(() => '');
    return { printed: stdout, asked: asked.trim().split('\n') };
  };

  it('up says where the gateway and the PostgreSQL endpoint are, wherever their ports were set', async () => {
    const { printed, asked } = await make('up', 'ENGINES=3');
    expect(asked[0]).to.match(/ up --build --detach --wait --scale query-engine=3$/);
    expect(printed).to.include('http://localhost:9123').and.not.include('8080\n');
    expect(printed).to.include('PostgreSQL clients connect to localhost:9124').and.not.include('5432');
  });

  it('logs ends where its output goes into a pipe, and has all', async () => {
    const { asked } = await make('logs', 'SERVICE=gateway');
    expect(asked[0]).to.match(/ logs gateway$/);
  });

  it('gives a home to a user who has none', async () => {
    const env = { ...process.env, HOME: '/nobody' };
    const words = ['--no-print-directory', '--eval=home: ; @echo "$$HOME"', 'home'];
    const { stdout } = await promisify(execFile)('make', words, { cwd: ROOT, env });
    expect(stdout.trim()).to.equal(join(ROOT, '.penstock/home'));
  });

  it('down removes volumes of whatever was started, whether the dashboards are named again or not', async () => {
    const { asked } = await make('down', 'VOLUMES=1');
    expect(asked).to.have.length(1);
    expect(asked[0]).to.include(OBSERVABILITY);
    expect(asked[0]).to.match(/ down --remove-orphans --volumes$/);
  });

  it('down keeps volumes, and says what is gone all the same', async () => {
    const { printed, asked } = await make('down');
    expect(asked[0]).to.match(/ down --remove-orphans$/);
    expect(printed).to.include('LocalStack keeps nothing');
    expect((await make('help')).printed).to.match(/make down .*tenants/);
  });
});
