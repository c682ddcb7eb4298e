/**
 * A run of a statement: one stream of its whole result, read as far as somebody looks. Where reading pauses, the engine
 * pauses too, so that what nobody sees is not paid for.
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
  readonly rowCount: ReadonlySignal<number>;
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
  let wanted = FIRST_ROWS;
  let isWanted: (() => void) | null = null;
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
    isWanted?.();
    options.onEnd(run);
  };

  const rows = createRowStore((line) => {
    const said = resultLine(line);
    if (said.kind === 'columns') columns.value = said.columns;
    else if (said.kind === 'end') end({ kind: 'ended', end: said.end });
    else end({ kind: 'failed', problem: said.problem });
  });

  /** Hangs up, and says so to the engine: behind some proxies hanging up alone is not noticed. */
  const leave = (why: 'stopped' | 'idle' | 'full'): void => {
    if (!isUnderWay(state.value)) return;
    end({ kind: 'left', why });
    void ask(path, { method: 'DELETE' });
    controller.abort();
  };

  /** Until more rows are wanted, or nobody has wanted any for long. */
  const pause = (): Promise<void> => {
    state.value = { kind: 'paused' };
    restsSince = performance.now();
    const idle = setTimeout(() => leave('idle'), PAUSE_MS_MAX);
    return new Promise<void>((resolve) => (isWanted = resolve)).then(() => {
      clearTimeout(idle);
      isWanted = null;
      restedMs += performance.now() - (restsSince ?? performance.now());
      restsSince = null;
      if (state.value.kind === 'paused') state.value = { kind: 'reading' };
    });
  };

  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const reader = body.getReader();
    for (;;) {
      if (rows.rowCount >= wanted && isUnderWay(state.value)) await pause();
      if (!isUnderWay(state.value)) return void reader.cancel().catch(() => undefined);
      const { done, value } = await reader.read();
      if (done) break;
      rows.add(value);
      if (isUnderWay(state.value)) rowCount.value = rows.rowCount;
      if (rows.rowCount >= GRID_ROWS_MAX || rows.byteCount >= GRID_BYTES_MAX) leave('full');
    }
    // A result that came whole has said how it ended.
    end({
      kind: 'failed',
      problem: { kind: 'away', message: 'The connection broke before the result was whole.' },
    });
  };

  const begin = async (): Promise<void> => {
    const { maxReadUnits } = options;
    const opened: Outcome<Response> = await open('/v1/query', {
      method: 'POST',
      body: { sql, options: maxReadUnits === null ? {} : { maxReadUnits } },
      headers: {
        accept: 'application/x-ndjson; header=present',
        'x-request-id': requestId,
        // Compressed, far more rows than are looked at would fit on the way, and be read for nobody.
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
    if (!isOver) void look();
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
      isWanted?.();
    },
    stop: () => leave('stopped'),
  };
  begin().catch((error: unknown) => end({ kind: 'failed', problem: noAnswer(error) }));
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
