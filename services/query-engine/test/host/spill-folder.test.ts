import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../common/test/support/until.ts';
import { createDatabase } from '../../src/execution/session/database.ts';
import { DEAD_WORKERS_GONE_MS, SPILL_STALE_MS, USAGE_RESERVE_MB } from '../../src/host/limits.ts';
import { createJournalFile } from '../../src/host/read-journal/journal-file.ts';
import { openSession } from '../../src/execution/session/session.ts';
import { openSpillFolder } from '../../src/host/spill-folder.ts';

describe('the folder that is spilled to', () => {
  let dataDir: string;
  let umask: number;
  beforeEach(async () => {
    umask = process.umask();
    dataDir = await mkdtemp(join(tmpdir(), 'penstock-data-'));
  });
  afterEach(async () => {
    process.umask(umask);
    await rm(dataDir, { recursive: true });
  });

  const open = (maxMb = 100, recover: (folder: string) => Promise<void> = async () => undefined) =>
    openSpillFolder({ dataDir, maxMb, recover });
  const made = async (...path: string[]): Promise<string> => {
    const folder = join(dataDir, ...path);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'duckdb_temp_storage-0.tmp'), 'spilled');
    return folder;
  };
  /** Of a process that has ended. */
  const deadPid = (): number => spawnSync(process.execPath, ['--version']).pid;
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  it('is removed at the next start when its process is dead, and kept while it lives', async () => {
    await made(`query-temp-${deadPid()}`);
    await made('spill', `engine-${deadPid()}-0a-1b@${hostname()}`);
    await made('spill', `engine-${process.pid}-0a-1b@${hostname()}`);
    await made('spill', `engine-${process.ppid}-0a-1b@${hostname()}`);
    await made('spill', `engine-${deadPid()}-0a-1b@another-host`);
    const stale = await made('spill', `engine-${process.ppid}-0a-1b@gone.example`);
    const then = new Date(Date.now() - SPILL_STALE_MS - 1000);
    await utimes(stale, then, then);
    await made('spill', 'of-somebody-else');
    await made('usage-spool');
    const folder = await open();
    const left = (await readdir(join(dataDir, 'spill')))
      .map((name) => name.replace(/-0a-1b|\d+/g, ''))
      .sort();
    const own = `engine-@${hostname()}`.replace(/\d+/g, '');
    expect(left.filter((name) => !name.includes(hostname().replace(/\d+/g, '')))).to.deep.equal([
      'engine-@another-host',
      'of-somebody-else',
    ]);
    expect(left.filter((name) => name === own)).to.have.length(1);
    expect(left).to.have.length(4);
    expect((await readdir(dataDir)).sort()).to.deep.equal(['spill', 'usage-spool']);
    await folder.close();
    expect(await readdir(join(dataDir, 'spill'))).to.have.length(3);
  });

  it('is kept, without what was spilled, until the reads of its queries are recorded and its workers gone', async function () {
    this.timeout(DEAD_WORKERS_GONE_MS * 4 + 5_000);
    const dead = await made('spill', `engine-${deadPid()}-0a-1b@${hostname()}`);
    createJournalFile(dead, 1);
    const spilled = await made('spill', basename(dead), 'worker-1', 'spill');
    const asked: number[] = [];
    const opened = performance.now();
    const folder = await open(100, async (path) => {
      expect(path).to.equal(dead);
      asked.push(performance.now() - opened);
      if (asked.length === 1) throw new Error('nobody takes it');
    });
    expect(existsSync(spilled)).to.equal(false);
    await until(() => !existsSync(dead), { what: 'the folder is gone' });
    expect(asked).to.have.length(2);
    expect(asked[0]).to.be.at.least(DEAD_WORKERS_GONE_MS - 100);
    await folder.close();
  });

  it('is readable by its user alone, as is what DuckDB puts there', async () => {
    process.umask(0o022);
    const folder = await open(512);
    const database = createDatabase({ memoryMb: 64, tempDirectory: folder.path, tempMb: 512, threads: 1 });
    const { signal } = new AbortController();
    const session = await openSession(database, { signal, columnNames: new Map() });
    await session.run(
      'CREATE TEMP TABLE r0 AS SELECT x, repeat(x::VARCHAR, 4) AS y FROM range(4000000) t(x)',
    );
    const files = await readdir(folder.path);
    expect(files).to.not.be.empty;
    for (const file of files) expect(await modeOf(join(folder.path, file))).to.equal(0o600);
    expect(await modeOf(folder.path)).to.equal(0o700);
    expect(await modeOf(join(dataDir, 'spill'))).to.equal(0o700);
    session.close();
    await database.close();
    await folder.close();
  });

  it('leaves usage its room where both are on one disk', async () => {
    const folder = await open(Number.MAX_SAFE_INTEGER);
    const { bavail, bsize } = await statfs(dataDir);
    const freeMb = (bavail * bsize) / 2 ** 20;
    // Other processes write to this disk, too.
    expect(folder.maxMb).to.be.closeTo(Math.max(0, freeMb - USAGE_RESERVE_MB), 4096);
    await folder.close();
    const small = await open(1);
    expect(small.maxMb).to.equal(freeMb > USAGE_RESERVE_MB + 1 ? 1 : 0);
    await small.close();
  });
});
