import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  COLLECT_EVERY_MS,
  LOOK_MS,
  SILENT_MS_MAX,
  STOP_MS_MAX,
  STOP_STARVED_MS_MAX,
  STOP_WORKED_MS_MIN,
  STUCK_MS_MAX,
  TICK_MS,
} from '../../../src/host/limits.ts';
import { createHomes } from '../../../src/host/processes/homes.ts';
import { createMemoryWatch } from '../../../src/host/processes/memory-watch.ts';
import { openMemoryProbe } from '../../../src/host/processes/resident-memory.ts';
import { createStandstillWatch } from '../../../src/host/processes/standstill.ts';
import { stopPatience } from '../../../src/host/processes/stop-patience.ts';
import { lossOf, suspectsOf } from '../../../src/host/processes/suspects.ts';
import { openThreadTimeProbe } from '../../../src/host/processes/cpu-time.ts';

const MIB = 1024 * 1024;

describe('a worker that is told to stop a query', () => {
  /** How often it is waited for, where it works so long in each wait, milliseconds; null: the system does not tell. */
  function waitsOf(workedMs: number | null): number {
    const clock = { ms: 0, workedMs: 500 };
    const patience = stopPatience(
      () => (workedMs === null ? null : clock.workedMs),
      () => clock.ms,
    );
    for (let waits = 0; ; waits++) {
      clock.ms += STOP_MS_MAX;
      clock.workedMs += workedMs ?? 0;
      if (!patience.isToWait()) return waits;
    }
  }

  it('is not waited for any longer where it worked instead', () => {
    expect(waitsOf(STOP_MS_MAX)).to.equal(0);
    expect(waitsOf(STOP_WORKED_MS_MIN)).to.equal(0);
    expect(waitsOf(null)).to.equal(0);
  });

  it('is waited for where it had no processor, for so long in all', () => {
    const most = STOP_STARVED_MS_MAX / STOP_MS_MAX - 1;
    expect(waitsOf(0)).to.equal(most);
    expect(waitsOf(STOP_WORKED_MS_MIN - 1)).to.equal(most);
  });
});

describe('a worker that stands still', () => {
  function setUp() {
    const clock = { ms: 0, workedMs: 500 };
    const watch = createStandstillWatch(() => clock.ms);
    /** Looks again and again for so long, in which its thread works for a share of the time; the last answer. */
    const lookFor = (ms: number, seen: { steps: number; holder: number }, share: number | null = 1) => {
      const look = () => watch.look(seen, share === null ? null : clock.workedMs);
      let last = look();
      for (const end = clock.ms + ms; clock.ms < end;) {
        clock.ms += LOOK_MS;
        clock.workedMs += LOOK_MS * (share ?? 0);
        last = look();
      }
      return last;
    };
    return { clock, watch, lookFor };
  }

  it('is one whose record has the same query at the same step, look after look', () => {
    const { lookFor } = setUp();
    expect(lookFor(0, { steps: 1, holder: 4 }).kind).to.equal('none');
    expect(lookFor(100, { steps: 1, holder: 4 })).to.deep.equal({ kind: 'still', ms: 100 });
    expect(lookFor(0, { steps: 2, holder: 4 }).kind).to.equal('none');
    expect(lookFor(STUCK_MS_MAX, { steps: 2, holder: 4 }).kind).to.equal('stuck');
  });

  it('is not one that has nothing to do, as long as it answers', () => {
    const { watch, lookFor } = setUp();
    expect(lookFor(STUCK_MS_MAX * 2, { steps: 1, holder: 0 }).kind).to.equal('none');
    expect(watch.isTickDue()).to.equal(true);
    expect(watch.isTickDue(), 'twice at once').to.equal(false);
    lookFor(200, { steps: 1, holder: 0 });
    expect(watch.answered()).to.equal(200);
    lookFor(TICK_MS, { steps: 1, holder: 0 });
    expect(watch.isTickDue()).to.equal(true);
    expect(lookFor(SILENT_MS_MAX, { steps: 1, holder: 0 }).kind).to.equal('stuck');
  });

  it('is none where it is the host that stood still', () => {
    const { clock, watch, lookFor } = setUp();
    lookFor(50, { steps: 1, holder: 4 });
    clock.ms += STUCK_MS_MAX * 3;
    expect(watch.look({ steps: 1, holder: 4 }, clock.workedMs).kind).to.equal('still');
  });

  it('is one that works: who waits for a processor is given longer', () => {
    for (const share of [0, null]) {
      const { lookFor } = setUp();
      lookFor(0, { steps: 1, holder: 4 }, share);
      expect(lookFor(100, { steps: 1, holder: 4 }, share)).to.deep.equal({ kind: 'still', ms: 10 });
      expect(lookFor(STUCK_MS_MAX, { steps: 1, holder: 4 }, share).kind).to.equal('still');
      expect(lookFor(STUCK_MS_MAX * 9, { steps: 1, holder: 4 }, share).kind).to.equal('stuck');
    }
    const { lookFor } = setUp();
    lookFor(0, { steps: 1, holder: 4 });
    expect(lookFor(STUCK_MS_MAX, { steps: 1, holder: 4 }, 0.5).kind).to.equal('still');
    expect(lookFor(STUCK_MS_MAX, { steps: 1, holder: 4 }, 0.5).kind).to.equal('stuck');
  });
});

describe('the home of a tenant', () => {
  const tenants = Array.from({ length: 2_000 }, (_, i) => `tenant-${i}`);

  it('is any worker as often as another', () => {
    const homesOf = createHomes(4);
    const counts = [0, 0, 0, 0];
    for (const tenant of tenants) counts[homesOf(tenant)[0]!]!++;
    for (const count of counts) expect(count).to.be.within(420, 580);
  });

  it('stays for most tenants when there is one more', () => {
    const [before, after] = [createHomes(4), createHomes(5)];
    const moved = tenants.filter((tenant) => before(tenant)[0] !== after(tenant)[0]);
    expect(moved.length / tenants.length).to.be.within(0.15, 0.25);
    for (const tenant of moved) expect(after(tenant)[0]).to.equal(4);
  });
});

describe('who may be why a worker was lost', () => {
  const seen = { steps: 9, holder: 1, computing: [2, 99] };
  const queries = [1, 2, 3];
  const none = new Set<number>();
  const suspects = (work: Partial<Parameters<typeof suspectsOf>[0]>) => [
    ...suspectsOf({ cause: 'ended', seen, culprit: null, long: none, ...work }, queries),
  ];

  it('is whoever it was killed for', () => {
    expect(suspects({ cause: 'deadline', culprit: 3 })).to.deep.equal([3]);
  });
  it('is who had its thread, where it stood still', () => {
    expect(suspects({ cause: 'stuck' })).to.deep.equal([1]);
    expect(suspects({ cause: 'stuck', seen: { ...seen, holder: 0 } })).to.deep.equal([]);
  });
  it('is who had its thread, and for whom DuckDB computed, of the queries that it still had', () => {
    expect(suspects({})).to.deep.equal([1, 2]);
    expect(suspects({ cause: 'memory' })).to.deep.equal([1, 2]);
  });
  it('is who reads much of them, where memory ran out', () => {
    expect(suspects({ cause: 'memory', long: new Set([2, 3]) })).to.deep.equal([2]);
  });
  it('is who read much, where memory ran out and nobody was at work', () => {
    const idle = { steps: 9, holder: 0, computing: [] };
    expect(suspects({ cause: 'memory', seen: idle, long: new Set([3]) })).to.deep.equal([3]);
    expect(suspects({ cause: 'ended', seen: idle, long: new Set([3]) })).to.deep.equal([]);
  });
  it('is certain where there is one, and it was killed for it', () => {
    const work = { cause: 'stuck', seen, culprit: null, long: none } as const;
    const one = new Set([1]);
    expect(lossOf(work, one, 1)).to.deep.equal({ cause: 'stuck', isSuspect: true, isCertain: true });
    expect(lossOf(work, one, 2)).to.deep.equal({ cause: 'stuck', isSuspect: false, isCertain: false });
    expect(lossOf(work, new Set([1, 2]), 1).isCertain).to.equal(false);
    expect(lossOf({ ...work, cause: 'ended' }, one, 1).isCertain).to.equal(false);
  });
});

describe('the memory of a process', () => {
  /** A process that holds so many bytes. */
  async function holding(bytes: number) {
    const text = `const held = Buffer.alloc(${bytes}, 1); setInterval(() => held, 1000); process.stdout.write('x')`;
    const child = spawn(process.execPath, ['--eval', text], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return child;
  }
  async function end(child: Awaited<ReturnType<typeof holding>>): Promise<void> {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  it('is its own without the programs that it shares, and nothing once it is gone', async function () {
    if (process.platform !== 'linux') this.skip();
    const child = await holding(200 * MIB);
    const probe = openMemoryProbe(child.pid!);
    const own = probe.read() ?? 0;
    const status = readFileSync(`/proc/${child.pid}/status`, 'latin1');
    const sayKib = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
    expect(own / MIB).to.be.within(200, 300);
    expect((own + sayKib('RssFile') * 1024) / (sayKib('VmRSS') * 1024)).to.be.within(0.95, 1.05);
    await end(child);
    expect(probe.read()).to.equal(null);
    probe.close();
    expect(openMemoryProbe(2 ** 22 + 1).read()).to.equal(null);
  });
  it('is told where little room is left, once in a while, and where it is too much', async function () {
    if (process.platform !== 'linux') this.skip();
    const child = await holding(200 * MIB);
    const toldWithin = (bytesMax: number): readonly string[] => {
      const clock = { ms: 0 };
      const told: string[] = [];
      const watch = createMemoryWatch({
        pid: child.pid!,
        bytesMax,
        onFull: () => told.push('full'),
        onFilling: () => told.push(`filling ${clock.ms}`),
        now: () => clock.ms,
      });
      for (; clock.ms <= COLLECT_EVERY_MS; clock.ms += COLLECT_EVERY_MS / 4) watch.look();
      watch.close();
      return told;
    };
    expect(toldWithin(600 * MIB)).to.deep.equal([]);
    expect(toldWithin(300 * MIB)).to.deep.equal(['filling 0', `filling ${COLLECT_EVERY_MS}`]);
    expect(toldWithin(150 * MIB)).to.deep.equal(Array.from({ length: 5 }, () => 'full'));
    await end(child);
  });
});

describe('the time of a thread', () => {
  it('is what it has worked, not what has passed', async function () {
    if (process.platform !== 'linux') this.skip();
    const busy = `const end = Date.now() + 400; while (Date.now() < end); process.stdout.write('x'); setInterval(() => 0, 1000)`;
    const child = spawn(process.execPath, ['--eval', busy], { stdio: ['ignore', 'pipe', 'inherit'] });
    const probe = openThreadTimeProbe(child.pid!);
    await once(child.stdout, 'data');
    const worked = probe.read() ?? 0;
    // On a busy machine it gets less than the time that has passed.
    expect(worked).to.be.within(40, 2_000);
    // Sleeps: it proves that time that only passes is not counted.
    await sleep(300);
    expect(probe.read()).to.be.within(worked, worked + 100);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(probe.read()).to.equal(null);
    probe.close();
  });
});
