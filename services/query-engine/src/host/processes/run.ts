/** A query in a worker, as the host has it. */
import type { Pieces } from '../../pipe/channel.ts';
import type { FromWorker, Question, ResultFromWorker } from '../../pipe/messages.ts';
import type { TableFindings } from '../../clients/catalog-client.ts';
import type { Loss } from './loss.ts';

export interface Answer {
  readonly answer: unknown;
  readonly bytes?: Uint8Array;
}

/** What became of a page. */
export type PageMessage = Extract<FromWorker, { kind: 'page' }>;

/** Whom a worker's messages about a query go to. */
export interface Run {
  readonly tenantId: string;
  readonly sql: string;
  readonly isLong: boolean;
  /** When it was given to its worker, milliseconds as `performance.now()` has them. */
  readonly startedAt: number;
  /** Something of its result has come: it cannot be run again. */
  readonly isAnswered: boolean;
  /** It may go to another worker where its own stands still. */
  readonly mayMove: boolean;
  /** What its reads cost all together. */
  onUnits(halfUnits: number): void;
  onResult(message: ResultFromWorker, bytes: Pieces): void;
  onFound(found: TableFindings): void;
  onPage(page: PageMessage): void;
  /** Throws PenstockError. */
  answer(question: Question): Promise<Answer>;
  /** The worker is gone, or as good as gone: nothing more of it comes, but perhaps units. */
  onLost(loss: Loss): void;
}

/** What ends a run in its worker. */
export const isLast = ({ kind }: ResultFromWorker): boolean => kind !== 'header' && kind !== 'rows';
