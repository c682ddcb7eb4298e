import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../../services/common/test/support/until.ts';
import { removeLeftovers } from '../../../src/postgres/servers/leftovers.ts';
import { OWNER_SILENT_MS_MAX } from '../../../src/postgres/servers/limits.ts';
import { openProcessFolder } from '../../../src/postgres/servers/process-folder.ts';
import {
  commandLine,
  processesNamed,
  processIds,
  signalProcess,
} from '../../../src/postgres/servers/processes.ts';

interface Owner {
  readonly child: ChildProcess;
  /** The folder of all its servers. */
  readonly folder: string;
}

async function startOwner(): Promise<Owner> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support/owner.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, folder: dirname(line.toString().trim()) };
}

const kill = async ({ child }: Owner): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe('servers whose owner is killed', () => {
  it('end at once, and their files go', async () => {
    const owner = await startOwner();
    expect(processesNamed(`${owner.folder}/`)).not.to.be.empty;
    await kill(owner);
    await until(
      async () => processesNamed(`${owner.folder}/`).length === 0 && !(await isThere(owner.folder)),
    );
  });

  it('are ended by whoever starts next where their keeper was killed too, while a living owner’s stay', async () => {
    const [killed, living] = await Promise.all([startOwner(), startOwner()]);
    const keepers = processIds().filter((pid) =>
      commandLine(pid).endsWith(`penstock-keeper\0${killed.folder}\0`),
    );
    expect(keepers).to.have.length(1);
    for (const pid of keepers) signalProcess(pid, 'SIGKILL');
    await until(() => keepers.every((pid) => commandLine(pid) === ''));
    await kill(killed);
    expect(processesNamed(`${killed.folder}/`)).not.to.be.empty;
    await removeLeftovers(dirname(killed.folder), join(tmpdir(), 'none'));
    await until(
      async () => processesNamed(`${killed.folder}/`).length === 0 && !(await isThere(killed.folder)),
    );
    expect(processesNamed(`${living.folder}/`)).not.to.be.empty;
    await kill(living);
    await until(() => processesNamed(`${living.folder}/`).length === 0);
  });

  // A container that is killed starts again at once: its files were left there until it started ten minutes later once more.
  it('leave no files for long in a container that is killed, whose next process cannot see who is gone', async () => {
    const next = await openProcessFolder({ sweepMs: 50 });
    const killed = await mkdtemp(join(dirname(next.path), 'penstock-pg-'));
    const owner = join(killed, 'owner');
    await writeFile(owner, JSON.stringify({ pid: 6, started: '1', namespace: 'pid:[1]' }));
    try {
      await removeLeftovers(dirname(next.path), next.path);
      expect(await isThere(killed)).to.equal(true);
      const silent = new Date(Date.now() - OWNER_SILENT_MS_MAX - 1_000);
      await utimes(owner, silent, silent);
      await until(async () => !(await isThere(killed)));
      expect(await isThere(next.path)).to.equal(true);
    } finally {
      await next.close();
      await rm(killed, { recursive: true, force: true });
    }
  });
});
