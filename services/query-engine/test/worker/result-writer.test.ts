import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { EngineResult } from '../../src/engine.ts';
import { ROWS_AHEAD_BYTES_MAX } from '../../src/pipe/limits.ts';
import type { ResultFromWorker } from '../../src/pipe/messages.ts';
import { createResultWriter, type KeepsFirst } from '../../src/worker/result-writer.ts';

const HEADER: EngineResult = { kind: 'header', columns: ['a'], columnTypes: ['BIGINT'] };
const END: EngineResult = {
  kind: 'end',
  rowCount: 1,
  resumeIdx: null,
  warnings: [],
  readUnits: 0,
  reads: [],
  planTimeMs: 1,
  position: null,
  besides: [],
};
const rows = (bytes: number): EngineResult => ({ kind: 'rows', json: new Uint8Array(bytes), rowCount: 1 });

describe('the result of a query in a worker', () => {
  function setUp(
    signal = new AbortController().signal,
    keepsFirst: KeepsFirst = 'until-more',
    aheadBytesMax = ROWS_AHEAD_BYTES_MAX,
  ) {
    const sent: [ResultFromWorker['kind'], number][] = [];
    const writer = createResultWriter(
      1,
      ({ kind }, bytes) => void sent.push([kind, bytes?.length ?? 0]),
      signal,
      keepsFirst,
      aheadBytesMax,
    );
    return { sent, writer };
  }
  const nothing = (): void => undefined;

  it('is one message where it is short, and where there are no rows', async () => {
    for (const parts of [
      [HEADER, rows(5), END],
      [HEADER, END],
    ]) {
      const { sent, writer } = setUp();
      for (const part of parts) await writer.add(part);
      expect(sent).to.deep.equal([]);
      writer.finish(1, nothing);
      expect(sent).to.deep.equal([['whole', parts.length === 3 ? 5 : 0]]);
    }
  });

  it('comes as it is made where nothing may wait for the rest', async () => {
    const { sent, writer } = setUp(undefined, 'never');
    await writer.add(HEADER);
    await writer.add(rows(5));
    expect(sent).to.deep.equal([
      ['header', 0],
      ['rows', 5],
    ]);
    await writer.add(END);
    writer.finish(1, nothing);
    expect(sent.at(-1)).to.deep.equal(['end', 0]);
  });

  it('waits behind each part whose reader says how many rows it wants', async () => {
    const { sent, writer } = setUp(undefined, 'never', 1);
    await writer.add(HEADER);
    let isThrough = false;
    const adding = writer.add(rows(5)).then(() => (isThrough = true));
    await nextTurn();
    expect([sent.at(-1), isThrough]).to.deep.equal([['rows', 5], false]);
    writer.taken(5);
    await adding;
  });

  it('is one message where all of it is there before the event loop turns', async () => {
    const { sent, writer } = setUp(undefined, 'this-turn');
    for (const part of [HEADER, rows(5), END]) await writer.add(part);
    writer.finish(1, nothing);
    await nextTurn();
    expect(sent).to.deep.equal([['whole', 5]]);
  });

  it('says which columns there are before rows that have more, and not before those that came first', async () => {
    for (const keepsFirst of ['never', 'until-more'] as const) {
      const sent: ResultFromWorker[] = [];
      const signal = new AbortController().signal;
      const writer = createResultWriter(
        1,
        (message) => void sent.push(message),
        signal,
        keepsFirst,
        Infinity,
      );
      const more: EngineResult = { kind: 'header', columns: ['a', 'b'], columnTypes: ['BIGINT', 'VARCHAR'] };
      for (const part of [HEADER, rows(5), more, rows(7), END]) await writer.add(part);
      writer.finish(1, nothing);
      const told = sent.map((message) => (message.kind === 'header' ? message.columns.length : message.kind));
      expect(told, keepsFirst).to.deep.equal([1, 'rows', 2, 'rows', 'end']);
    }
  });

  it('does not keep the first rows until the next page is read where it flows', async () => {
    const { sent, writer } = setUp(undefined, 'this-turn');
    await writer.add(HEADER);
    await writer.add(rows(5));
    expect(sent).to.deep.equal([]);
    await nextTurn();
    expect(sent).to.deep.equal([
      ['header', 0],
      ['rows', 5],
    ]);
    await writer.add(END);
    writer.finish(1, nothing);
    expect(sent.at(-1)).to.deep.equal(['end', 0]);
  });

  it('sends nothing that it kept back once the query has failed', async () => {
    const { sent, writer } = setUp(undefined, 'this-turn');
    await writer.add(HEADER);
    await writer.add(rows(5));
    writer.drop();
    await nextTurn();
    expect(sent).to.deep.equal([]);
  });

  it('comes as it is made where it is long', async () => {
    const { sent, writer } = setUp();
    for (const part of [HEADER, rows(5), rows(6), rows(7), END]) await writer.add(part);
    writer.finish(1, nothing);
    expect(sent).to.deep.equal([
      ['header', 0],
      ['rows', 5],
      ['rows', 6],
      ['rows', 7],
      ['end', 0],
    ]);
  });

  it('waits while too much of it is not taken', async () => {
    const { sent, writer } = setUp();
    await writer.add(HEADER);
    await writer.add(rows(ROWS_AHEAD_BYTES_MAX / 2));
    let isAdded = false;
    const adding = writer.add(rows(ROWS_AHEAD_BYTES_MAX / 2)).then(() => (isAdded = true));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(sent).to.have.length(3);
    expect(isAdded).to.equal(false);
    writer.taken(ROWS_AHEAD_BYTES_MAX / 2);
    await adding;
  });

  it('waits no longer once the query is stopped', async () => {
    const ending = new AbortController();
    const { writer } = setUp(ending.signal);
    await writer.add(HEADER);
    await writer.add(rows(1));
    const adding = writer.add(rows(ROWS_AHEAD_BYTES_MAX)).catch((error: unknown) => error);
    ending.abort(new Error('stopped'));
    expect(await adding).to.have.property('message', 'stopped');
  });
});
