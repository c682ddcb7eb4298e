import { expect } from 'chai';
import { until } from '../../../../services/common/test/support/until.ts';
import { FIRST_ROWS } from '../../../src/console/web/pages/query/limits.ts';
import { startRun, type Run } from '../../../src/console/web/pages/query/run/run.ts';

const HEADER = '{"columns":["a"],"columnTypes":["BIGINT"]}\n';
const END = '{"rows":3000,"readUnits":9,"planTime":1,"execTime":2}\n';
const lines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `[${from + at}]\n`).join('');

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

describe('a run of the Query page', () => {
  const { fetch } = globalThis;
  const asked: Asked[] = [];
  let stream: ReadableStreamDefaultController<Uint8Array>;
  let run: Run;
  let progress = 200;

  const send = (text: string): void => stream.enqueue(new TextEncoder().encode(text));
  const of = (method: string): readonly unknown[] =>
    asked.filter((each) => each.method === method).map(({ body }) => body);
  const stateOf = (): string => run.state.value.kind;
  const became = (kind: string): Promise<void> =>
    until(() => stateOf() === kind, { what: `a run that is ${kind}` });

  beforeEach(() => {
    asked.length = 0;
    progress = 200;
    globalThis.fetch = async (path, init) => {
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : null;
      asked.push({ method: init?.method ?? 'GET', path: path as string, body });
      const data = { state: 'running', rows: 0, readUnits: 4 };
      if (path !== '/v1/query')
        return Response.json(progress === 200 ? { success: true, data } : { success: false }, {
          status: progress,
        });
      const content = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
      return new Response(content, { headers: { 'content-type': 'application/x-ndjson' } });
    };
    run = startRun('SELECT 1', { maxReadUnits: 50, onEnd: () => undefined });
  });
  afterEach(() => {
    run.stop();
    globalThis.fetch = fetch;
  });

  it('says how many rows are looked at, and takes all that come without asking for more', async () => {
    await until(() => stream !== undefined && asked.length > 0, { what: 'the request' });
    expect(of('POST')).to.deep.equal([
      { sql: 'SELECT 1', options: { rowsWanted: FIRST_ROWS + 1, maxReadUnits: 50 } },
    ]);
    send(HEADER + lines(0, FIRST_ROWS + 1));
    await became('paused');
    // Paid for before the engine had heard that it was enough: it is kept.
    send(lines(FIRST_ROWS + 1, 700));
    await until(() => run.rowCount.value === FIRST_ROWS + 701, { what: 'the rows on the way' });
    expect([stateOf(), of('PATCH')]).to.deep.equal(['paused', []]);
  });

  it('has the engine go on once for all that is wanted while it is told', async () => {
    await until(() => stream !== undefined && asked.length > 0, { what: 'the request' });
    send(HEADER + lines(0, FIRST_ROWS + 1));
    await became('paused');
    for (const more of [500, 600, 700]) run.want(more);
    expect(stateOf()).to.equal('reading');
    await until(() => of('PATCH').length === 2, { what: 'both requests' });
    expect(of('PATCH')).to.deep.equal([{ rowsWanted: 500 }, { rowsWanted: 700 }]);
    send(lines(FIRST_ROWS + 1, 2_999 - FIRST_ROWS) + END);
    await became('ended');
    expect(run.rowCount.value).to.equal(3_000);
  });

  it('is whole where it has just as many rows as are looked at', async () => {
    await until(() => stream !== undefined && asked.length > 0, { what: 'the request' });
    send(HEADER + lines(0, FIRST_ROWS));
    await until(() => run.rowCount.value === FIRST_ROWS, { what: 'all rows' });
    expect(stateOf()).to.equal('reading');
    send(END);
    await became('ended');
  });

  it('keeps its rows and shows no failure where a connection ends that nobody waits for', async () => {
    await until(() => stream !== undefined && asked.length > 0, { what: 'the request' });
    send(HEADER + lines(0, FIRST_ROWS + 1));
    await became('paused');
    stream.error(new TypeError('network error'));
    await became('left');
    expect(run.state.value).to.deep.equal({ kind: 'left', why: 'idle' });
    expect(new TextDecoder().decode(run.rows.row(FIRST_ROWS))).to.equal(`[${FIRST_ROWS}]`);
  });

  it('fails where the connection breaks before the rows that are wanted', async () => {
    await until(() => stream !== undefined && asked.length > 0, { what: 'the request' });
    send(HEADER + lines(0, 5));
    await until(() => run.rowCount.value === 5, { what: 'the first rows' });
    stream.close();
    await became('failed');
  });
});
