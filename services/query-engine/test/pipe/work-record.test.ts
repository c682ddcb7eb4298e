import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { QUERIES_RECORDED_MAX } from '../../src/pipe/limits.ts';
import { createWorkReader, createWorkRecorder } from '../../src/pipe/work-record.ts';

describe('the work record', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'work-record-'));
    path = join(folder, 'work');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('says who has the thread, until the event loop comes round', async () => {
    const reader = createWorkReader(path);
    const recorder = createWorkRecorder(path);
    expect(reader.read()).to.deep.equal({ steps: 0, holder: 0, computing: [] });
    recorder.of(7).hold();
    expect(reader.read()).to.deep.equal({ steps: 1, holder: 7, computing: [] });
    recorder.of(7).hold();
    recorder.of(8).hold();
    expect(reader.read()).to.deep.equal({ steps: 2, holder: 8, computing: [] });
    await nextTurn();
    await nextTurn();
    expect(reader.read()).to.deep.equal({ steps: 3, holder: 0, computing: [] });
    reader.close();
  });

  it('says for whom DuckDB computes, and what each query has read', () => {
    const reader = createWorkReader(path);
    const recorder = createWorkRecorder(path);
    const done = recorder.of(3).compute();
    recorder.of(4).compute();
    expect(reader.read().computing).to.deep.equal([3, 4]);
    done();
    expect(reader.read().computing).to.deep.equal([4]);
    const first = recorder.reading(3);
    first.set(5);
    first.set(9);
    recorder.reading(4).set(1);
    expect([...reader.unitsRead()]).to.have.deep.members([
      [3, 9],
      [4, 1],
    ]);
    // Its place goes to others last: the host may not have heard of it.
    first.close();
    for (let query = 5; query < QUERIES_RECORDED_MAX + 3; query++) recorder.reading(query).close();
    expect(reader.unitsRead().get(3)).to.equal(9);
    recorder.reading(2).set(2);
    expect(reader.unitsRead().get(3)).to.equal(undefined);
    expect([...reader.unitsRead()]).to.have.deep.members([
      [2, 2],
      [4, 1],
    ]);
    reader.close();
  });

  it('is there when its process is killed in the middle', async () => {
    const reader = createWorkReader(path);
    const module = join(import.meta.dirname, '../../src/pipe/work-record.ts');
    const text = `import { createWorkRecorder } from ${JSON.stringify(module)};
      const recorder = createWorkRecorder(${JSON.stringify(path)});
      recorder.reading(12).set(345);
      recorder.of(12).hold();
      process.stdout.write('working');
      for (;;);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(reader.read().holder).to.equal(12);
    expect([...reader.unitsRead()]).to.deep.equal([[12, 345]]);
    reader.close();
  });
});
