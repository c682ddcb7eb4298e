/** README's session with curl, by the letter, after the line that `make demo` prints for it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runDemo } from '../../../deploy/local/src/demo/run-demo.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Files and folders of the repository that the commands need where they are run. */
const NEEDED = ['package.json', 'node_modules', 'services', 'gateway', 'deploy'];

const run = promisify(execFile);

/** The commands of a section, as one script. */
function commandsOf(section: string): string {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, found = ''] = text.split(`\n## ${section}\n`);
  const blocks = [...(found.split('\n## ')[0] ?? '').matchAll(/```sh\n([^]*?)```/g)];
  return blocks.map(([, block]) => block).join('\n');
}

describe("README's session with curl", function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let folder: string;
  const said: string[] = [];
  let answers: readonly string[];
  before(async () => {
    stack = await sharedStack();
    folder = await mkdtemp(join(tmpdir(), 'penstock-readme-'));
    for (const name of NEEDED) await symlink(join(ROOT, name), join(folder, name));
    await runDemo(stack, (text) => said.push(text));
    const exported = said.find((line) => line.startsWith('export '));
    const { stdout } = await run('bash', ['-ec', `${exported}\n${commandsOf('A session with curl')}`], {
      cwd: folder,
      env: { ...process.env, PENSTOCK_DATA_DIR: stack.dataDir },
    });
    answers = stdout.split(/\n|(?<=\})(?=\{)/).filter((line) => line !== '');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('ends every command with success', () => {
    expect(answers.length).to.be.greaterThan(4);
    const [client, ...others] = answers.map((answer) => JSON.parse(answer) as Record<string, unknown>);
    expect(client).to.have.keys('clientId', 'clientSecret');
    for (const [i, answer] of others.entries()) expect(answer['success'], answers[i + 1]).to.equal(true);
  });

  it('shows what the page says', () => {
    const [role, row] = [answers[2], answers[3]].map(
      (answer) => (JSON.parse(answer ?? '{}') as { data: Record<string, unknown> }).data,
    );
    expect(role).to.include({ ok: true });
    expect(row).to.deep.include({ data: [['Customer 1']], columns: ['name'], readUnits: 0.5 });
  });

  it('leaves whole files, and no secret', async () => {
    expect((await readdir(folder)).filter((name) => !NEEDED.includes(name)).sort()).to.deep.equal([
      'orders.csv',
      'orders.parquet',
    ]);
    const lines = (await readFile(join(folder, 'orders.csv'), 'utf8')).trimEnd().split('\n');
    expect(lines).to.have.length(1 + 40 * 25);
    expect((await readFile(join(folder, 'orders.parquet'))).subarray(-4).toString()).to.equal('PAR1');
  });

  it('is possible with psql too, at the port that the demo names', () => {
    const { port } = new URL(stack.postgresUrl);
    expect(said.join('\n')).to.match(new RegExp(`psql "postgresql://[^"]+@localhost:${port}/penstock"`));
  });
});
