/** Sends a query's result. A short one is one message; of a long one no more is sent ahead than the host has room for. */
import type { EngineResult } from '../engine.ts';
import type { Sender } from '../pipe/channel.ts';
import { ROWS_AHEAD_BYTES_MAX } from '../pipe/limits.ts';
import type { EndMessage, HeaderMessage, ResultFromWorker } from '../pipe/messages.ts';

type Rows = Extract<EngineResult, { kind: 'rows' }>;

const NO_ROWS = new Uint8Array();

export interface ResultWriter {
  /** Resolves when there is room for more. Throws the signal's reason. */
  add(part: EngineResult): Promise<void>;
  /** The host took so many bytes. */
  taken(bytes: number): void;
  /** After the end; `halfUnits`: what was read. */
  finish(halfUnits: number, onSent: () => void): void;
}

/** `mayJoin`: a short result is one message; its first rows wait until it is known how much more there is. */
export function createResultWriter(
  query: number,
  send: Sender<ResultFromWorker>['send'],
  signal: AbortSignal,
  mayJoin: boolean,
): ResultWriter {
  let header: HeaderMessage | null = null;
  let isHeaderSent = false;
  /** Kept back, in case that it is all. */
  let first: Rows | null = null;
  let end: EndMessage | null = null;
  let ahead = 0;
  let resume = (): void => undefined;

  const room = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const over = (): void => {
        signal.removeEventListener('abort', giveUp);
        resume = () => undefined;
      };
      const giveUp = (): void => {
        over();
        reject(signal.reason as Error);
      };
      resume = () => {
        over();
        resolve();
      };
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
  const sendRows = ({ json, rowCount }: Rows): void => {
    if (!isHeaderSent && header !== null) send({ kind: 'header', query, ...header });
    isHeaderSent = true;
    send({ kind: 'rows', query, rowCount }, json);
    ahead += json.length;
  };

  return {
    async add(part) {
      if (part.kind === 'header') {
        header = { columns: part.columns, columnTypes: part.columnTypes };
        return;
      }
      if (part.kind === 'end') {
        const { rowCount, resumeIdx, warnings, planTimeMs, reads, position } = part;
        const kept = position === null ? {} : { position };
        end = { rowCount, resumeIdx, warnings, planTimeMs, reads, ...kept };
        return;
      }
      if (mayJoin && !isHeaderSent && first === null) {
        first = part;
        return;
      }
      if (first !== null) sendRows(first);
      first = null;
      sendRows(part);
      if (ahead >= ROWS_AHEAD_BYTES_MAX) await room();
    },
    taken(bytes) {
      ahead -= bytes;
      if (ahead < ROWS_AHEAD_BYTES_MAX) resume();
    },
    finish(halfUnits, onSent) {
      if (header === null || end === null) throw new Error('a result has no header or no end');
      if (isHeaderSent) send({ kind: 'end', query, end, halfUnits }, undefined, onSent);
      else send({ kind: 'whole', query, header, end, halfUnits }, first?.json ?? NO_ROWS, onSent);
    },
  };
}
