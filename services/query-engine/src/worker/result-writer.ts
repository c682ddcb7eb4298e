/** Sends a query's result. A short one is one message; of a long one no more is sent ahead than the host has room for. */
import type { EngineResult } from '../engine.ts';
import type { Sender } from '../pipe/channel.ts';
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
  /** The query failed: what is kept back is not sent behind its error. */
  drop(): void;
}

/**
 * For how long the first rows are kept back, so that a short result is one message: until it is known whether there are
 * more; for a result that flows, only until the event loop turns, which all of a result of one page does not outlast; or
 * not at all.
 */
export type KeepsFirst = 'until-more' | 'this-turn' | 'never';

/** `aheadBytesMax`: once so many bytes of rows are sent and not taken, no more are. */
export function createResultWriter(
  query: number,
  send: Sender<ResultFromWorker>['send'],
  signal: AbortSignal,
  keepsFirst: KeepsFirst,
  aheadBytesMax: number,
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
  const sendFirst = (): void => {
    if (first !== null) sendRows(first);
    first = null;
  };
  const sendRows = ({ json, rowCount }: Rows): void => {
    if (!isHeaderSent && header !== null) send({ kind: 'header', query, ...header });
    isHeaderSent = true;
    send({ kind: 'rows', query, rowCount }, json);
    ahead += json.length;
  };

  return {
    async add(part) {
      if (part.kind === 'header') {
        // Rows that follow have more columns than those before.
        const isLater = isHeaderSent || first !== null;
        sendFirst();
        header = { columns: part.columns, columnTypes: part.columnTypes };
        if (isLater) send({ kind: 'header', query, ...header });
        return;
      }
      if (part.kind === 'end') {
        const { rowCount, resumeIdx, warnings, planTimeMs, reads, position, besides } = part;
        const kept = { ...(position !== null && { position }), ...(besides.length > 0 && { besides }) };
        end = { rowCount, resumeIdx, warnings, planTimeMs, reads, ...kept };
        return;
      }
      if (keepsFirst !== 'never' && !isHeaderSent && first === null) {
        first = part;
        if (keepsFirst === 'this-turn') setImmediate(sendFirst);
        return;
      }
      sendFirst();
      sendRows(part);
      if (ahead >= aheadBytesMax) await room();
    },
    taken(bytes) {
      ahead -= bytes;
      if (ahead < aheadBytesMax) resume();
    },
    finish(halfUnits, onSent) {
      if (header === null || end === null) throw new Error('a result has no header or no end');
      if (isHeaderSent) send({ kind: 'end', query, end, halfUnits }, undefined, onSent);
      else send({ kind: 'whole', query, header, end, halfUnits }, first?.json ?? NO_ROWS, onSent);
      first = null;
    },
    drop() {
      first = null;
    },
  };
}
