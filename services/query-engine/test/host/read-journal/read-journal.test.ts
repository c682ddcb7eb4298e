/** What is recorded of an engine that is gone, from the files that it and its workers left. */
import { mkdtempSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageEvent } from '@penstock/common/usage/event.ts';
import { expect } from 'chai';
import { createJournalFile, type JournalFile } from '../../../src/host/read-journal/journal-file.ts';
import { createReadJournal, type ReadJournal } from '../../../src/host/read-journal/read-journal.ts';
import { recoverReads } from '../../../src/host/read-journal/recover-reads.ts';
import { WORK_RECORD, workerFolder } from '../../../src/host/worker-folder.ts';
import { createWorkReader, createWorkRecorder, type WorkRecorder } from '../../../src/pipe/work-record.ts';

const PLACES = 4;
const AT = Date.UTC(2026, 10, 25);

describe('the read journal', () => {
  let folder: string;
  let file: JournalFile;
  let journal: ReadJournal;
  let recorded: UsageEvent[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'read-journal-'));
    file = createJournalFile(folder, PLACES);
    journal = createReadJournal(file);
    recorded = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const worker = (id: number): WorkRecorder => {
    mkdirSync(workerFolder(folder, id));
    const path = join(workerFolder(folder, id), WORK_RECORD);
    createWorkReader(path).close();
    return createWorkRecorder(path);
  };
  const event = (id: string, clientId?: string) => ({
    ...{ id, tenantId: 'tnt_a', at: AT },
    ...(clientId === undefined ? {} : { clientId }),
  });
  const record = async (one: UsageEvent): Promise<void> => void recorded.push(one);
  const recover = (): Promise<number> => recoverReads(folder, record);
  const unitsById = () => Object.fromEntries(recorded.map(({ id, readHalfUnits }) => [id, readHalfUnits]));

  it('has what attempts had read: those that ended, and those that their workers had under way', async () => {
    const [one, two] = [worker(1), worker(2)];
    const entry = journal.open(event('q', 'cli_1'));
    entry.begin(1, 11);
    one.reading(11).set(6);
    entry.end(11, 6);
    entry.begin(2, 12);
    const reading = two.reading(12);
    reading.set(1);
    reading.set(20);
    // Of another query, which is recorded.
    two.reading(13).set(100);
    expect(await recover()).to.equal(26);
    expect(recorded).to.deep.equal([
      {
        ...{ id: 'q', tenantId: 'tnt_a', clientId: 'cli_1', at: AT },
        ...{ requests: 0, rowsReturned: 0, readHalfUnits: 26 },
      },
    ]);
  });

  it('has nothing of what is recorded, nor of what has read nothing', async () => {
    worker(1).reading(11).set(6);
    const entry = journal.open(event('recorded'));
    entry.begin(1, 11);
    entry.end(11, 6);
    entry.close();
    journal.open(event('waits'));
    journal.open(event('reads nothing yet')).begin(1, 12);
    journal.open(event('its worker is just starting')).begin(7, 14);
    expect(await recover()).to.equal(0);
    expect(recorded).to.deep.equal([]);
  });

  it('has what comes late under an ID of its own', async () => {
    const late = worker(1).reading(11);
    const entry = journal.open(event('main'));
    entry.begin(1, 11);
    late.set(4);
    entry.begin(2, 12);
    entry.end(12, 3);
    const own = entry.split(11);
    expect(own.id).to.not.equal('main');
    late.set(5);
    await recover();
    expect(unitsById()).to.deep.equal({ main: 3, [own.id]: 5 });
    entry.close();
    own.end(11, 9);
    recorded = [];
    await recover();
    expect(unitsById()).to.deep.equal({ [own.id]: 9 });
  });

  it('counts a query once that two entries had when the engine was killed', async () => {
    worker(1).reading(11).set(4);
    let isKilled = false;
    const dying = createReadJournal({
      add: (reads) => file.add(reads),
      remove: (place) => file.remove(place),
      set: (place, reads) => (isKilled ? undefined : file.set(place, reads)),
    });
    const entry = dying.open(event('main'));
    entry.begin(1, 11);
    isKilled = true;
    entry.split(11);
    expect(await recover()).to.equal(4);
    expect(recorded).to.have.length(1);
  });

  it('gives the same again where not all of it could be recorded', async () => {
    for (const [i, id] of ['a', 'b'].entries()) {
      const entry = journal.open(event(id));
      entry.begin(1, i);
      entry.end(i, i + 1);
    }
    let calls = 0;
    const failing = recoverReads(folder, async (one) => {
      if (++calls === 2) throw new Error('nobody takes it');
      await record(one);
    });
    expect(await failing.catch(String)).to.equal('Error: nobody takes it');
    const first = recorded;
    recorded = [];
    await recover();
    expect(recorded).to.have.length(2).and.to.deep.include(first[0]);
  });

  it('goes on where it is full, and where a line is damaged or too long', async () => {
    const entries = Array.from({ length: PLACES + 2 }, (_, i) => {
      const entry = journal.open(event(`q${i}`));
      entry.begin(1, i);
      entry.end(i, 2);
      return entry;
    });
    expect(await recover()).to.equal(2 * PLACES);
    for (const entry of entries) entry.close();
    // Its places are free again.
    recorded = [];
    journal.open(event('x'.repeat(2_000))).begin(1, 90);
    const next = journal.open(event('next'));
    next.begin(1, 91);
    next.end(91, 1);
    await recover();
    expect(unitsById()).to.deep.equal({ next: 1 });
    truncateSync(join(folder, 'reads'));
    writeFileSync(join(folder, 'reads'), '{"id":\n');
    expect(await recover()).to.equal(0);
  });
});
