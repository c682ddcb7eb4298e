/**
 * A run of a statement: one stream of its whole result. The engine is told how many rows somebody looks at, and reads no
 * further: what nobody sees is not paid for, and what was paid for is here.
 */
import { batch, signal, type ReadonlySignal } from '@preact/signals';
import type { Outcome, Problem } from '../../../net/outcome.ts';
import { ask, open } from '../../../net/request.ts';
import { noAnswer } from '../../../net/problem-of.ts';
import { FIRST_ROWS, GRID_BYTES_MAX, GRID_ROWS_MAX, PAUSE_MS_MAX, PROGRESS_MS } from '../limits.ts';
import { createRowStore, type RowStore } from '../result/row-store.ts';
import { resultLine, type ResultColumn, type ResultEnd } from '../result/result-lines.ts';

/**
 * - `reading`: rows are on their way. `paused`: there may be more, which are read when they are asked for.
 * - `ended`: that is all. `left`: there may be more, which are read no more (`why`).
 */
export type RunState =
  | { readonly kind: 'reading' | 'paused' }
  | { readonly kind: 'ended'; readonly end: ResultEnd }
  | { readonly kind: 'left'; readonly why: 'stopped' | 'idle' | 'full' }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** While it is under way: of the engine, which may be ahead of what has come. */
export interface Progress {
  readonly rows: number;
  readonly readUnits: number;
  readonly isQueued: boolean;
}

export interface Run {
  readonly sql: string;
  readonly requestId: string;
  readonly startedAt: number;
  readonly state: ReadonlySignal<RunState>;
  readonly columns: ReadonlySignal<readonly ResultColumn[]>;
  readonly rowCount: Pick<ReadonlySignal<number>, 'value' | 'peek'>;
  readonly progress: ReadonlySignal<Progress | null>;
  /** Until it ended, was left or failed, without the pauses in which nobody wanted more: milliseconds. */
  readonly tookMs: ReadonlySignal<number>;
  readonly rows: Pick<RowStore, 'row' | 'byteCount'>;
  /** Wants so many rows to be there, where there are as many. */
  want(rows: number): void;
  /** Ends it: no further read begins. */
  stop(): void;
}

interface RunOptions {
  readonly maxReadUnits: number | null;
  /** Called once, when it has ended, however. */
  readonly onEnd: (run: Run) => void;
}

/** One more than is shown: a result of just so many rows ends. */
const ROWS_FIRST_WANTED = FIRST_ROWS + 1;
/** The figures of the last rows may be a moment late. */
const PAUSE_LOOKS_MAX = 3;

export const isUnderWay = ({ kind }: RunState): boolean => kind === 'reading' || kind === 'paused';

function newRequestId(): string {
  return `console-${crypto.randomUUID()}`;
}

export function startRun(sql: string, options: RunOptions): Run {
  const requestId = newRequestId();
  const path = `/v1/queries/${requestId}`;
  const controller = new AbortController();
  const state = signal<RunState>({ kind: 'reading' });
  const columns = signal<readonly ResultColumn[]>([]);
  const rowCount = signal(0);
  const progress = signal<Progress | null>(null);
  const tookMs = signal(0);
  const startedAt = Date.now();
  const began = performance.now();
  let wanted = ROWS_FIRST_WANTED;
  /** As the engine was last told. */
  let toldWanted = wanted;
  let isTelling = false;
  let idle: ReturnType<typeof setTimeout> | undefined;
  /** Looks at a pause, in which nothing moves. */
  let looksAtPause = 0;
  /** Of the pauses so far, and since when there is one. */
  let restedMs = 0;
  let restsSince: number | null = null;
  /** The engine has ended it: whoever asks how far it is hears nothing. */
  let isOver = false;

  const workedMs = (): number => (restsSince ?? performance.now()) - began - restedMs;

  const end = (last: RunState): void => {
    if (!isUnderWay(state.value)) return;
    batch(() => {
      rowCount.value = rows.rowCount;
      tookMs.value = workedMs();
      state.value = last;
    });
    clearInterval(watch);
    clearTimeout(idle);
    options.onEnd(run);
  };

  const rows = createRowStore((line) => {
    const said = resultLine(line);
    if (said.kind === 'columns') columns.value = said.columns;
    else if (said.kind === 'end') end({ kind: 'ended', end: said.end });
    else breakOff(said.problem);
  });

  /** Nobody is told of a failure who wanted no more: the rows that were wanted are there. */
  const breakOff = (problem: Problem): void =>
    end(state.value.kind === 'paused' ? { kind: 'left', why: 'idle' } : { kind: 'failed', problem });

  /** Hangs up, and says so to the engine: behind some proxies hanging up alone is not noticed. */
  const leave = (why: 'stopped' | 'idle' | 'full'): void => {
    if (!isUnderWay(state.value)) return;
    end({ kind: 'left', why });
    void ask(path, { method: 'DELETE' });
    controller.abort();
  };

  /** Until more rows are wanted, or nobody has wanted any for long. */
  const pause = (): void => {
    if (state.value.kind !== 'reading') return;
    looksAtPause = 0;
    restsSince = performance.now();
    state.value = { kind: 'paused' };
    idle = setTimeout(() => leave('idle'), PAUSE_MS_MAX);
  };

  const goOn = (): void => {
    if (state.value.kind !== 'paused') return;
    clearTimeout(idle);
    restedMs += performance.now() - (restsSince ?? performance.now());
    restsSince = null;
    state.value = { kind: 'reading' };
  };

  /** One request at a time: while it is on its way one may scroll further. */
  const tellWanted = async (): Promise<void> => {
    if (isTelling) return;
    isTelling = true;
    while (toldWanted < wanted && isUnderWay(state.value)) {
      const telling = wanted;
      const rowsWanted = Math.min(telling, GRID_ROWS_MAX);
      const told = await ask(path, { method: 'PATCH', body: { rowsWanted }, repeatable: true });
      // There is none that could go on where it has ended: the rest of it is on its way.
      if (!told.ok && told.problem.status !== 404) break;
      toldWanted = telling;
    }
    isTelling = false;
  };

  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const reader = body.getReader();
    for (;;) {
      if (rows.rowCount >= wanted) pause();
      if (!isUnderWay(state.value)) return void reader.cancel().catch(() => undefined);
      const { done, value } = await reader.read();
      if (done) break;
      rows.add(value);
      if (isUnderWay(state.value)) rowCount.value = rows.rowCount;
      if (rows.rowCount >= GRID_ROWS_MAX || rows.byteCount >= GRID_BYTES_MAX) leave('full');
    }
    // A result that came whole has said how it ended.
    breakOff({ kind: 'away', message: 'The connection broke before the result was whole.' });
  };

  const begin = async (): Promise<void> => {
    const { maxReadUnits } = options;
    const opened: Outcome<Response> = await open('/v1/query', {
      method: 'POST',
      body: { sql, options: { rowsWanted: wanted, ...(maxReadUnits === null ? {} : { maxReadUnits }) } },
      headers: {
        accept: 'application/x-ndjson; header=present',
        'x-request-id': requestId,
        // A coder would keep rows back until those behind them come, which wait to be wanted.
        'cache-control': 'no-transform',
      },
      signal: controller.signal,
      msMax: null,
    });
    if (!opened.ok) return end({ kind: 'failed', problem: opened.problem });
    const { body, headers } = opened.value;
    // What fails before its first row is answered as a page would be, with status 200.
    if (!(headers.get('content-type') ?? '').includes('ndjson')) return end(await refusal(opened.value));
    if (body !== null) await read(body);
  };

  const look = async (): Promise<void> => {
    const asked = await ask<{ state: string; rows: number; readUnits: number }>(path, {
      repeatable: false,
      signal: controller.signal,
    });
    // At first it may not be known yet.
    const wasKnown = progress.value !== null || state.value.kind === 'paused';
    if (!asked.ok && asked.problem.status === 404 && wasKnown) isOver = true;
    if (!asked.ok || asked.value.state === 'failed' || !isUnderWay(state.value)) return;
    const { state: how, rows: sent, readUnits } = asked.value;
    progress.value = { rows: sent, readUnits, isQueued: how === 'queued' };
  };

  const watch = setInterval(() => {
    tookMs.value = workedMs();
    if (!isOver && (state.value.kind !== 'paused' || (looksAtPause += 1) <= PAUSE_LOOKS_MAX)) void look();
  }, PROGRESS_MS);

  const run: Run = {
    sql,
    requestId,
    startedAt,
    state,
    columns,
    rowCount,
    progress,
    tookMs,
    rows,
    want(more) {
      if (more <= wanted) return;
      wanted = more;
      if (rows.rowCount < wanted) goOn();
      void tellWanted();
    },
    stop: () => leave('stopped'),
  };
  begin().catch((error: unknown) => breakOff(noAnswer(error)));
  return run;
}

async function refusal(response: Response): Promise<RunState> {
  const body = (await response.json().catch(() => ({}))) as { error?: string; detailedError?: string };
  const problem: Problem = {
    kind: 'refused',
    message: body.error ?? 'Penstock gave no result.',
    ...(body.detailedError === undefined ? {} : { detail: body.detailedError }),
  };
  return { kind: 'failed', problem };
}
