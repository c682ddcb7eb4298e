/** What a worker says of one query, in the order in which it is to be passed on. */
import type { StatementDescription } from '../../catalog/description.ts';
import type { TableFindings } from '../../clients/catalog-client.ts';
import type { Pieces } from '../../pipe/channel.ts';
import { fromErrorMessage } from '../../pipe/error-message.ts';
import type {
  EndMessage,
  HeaderMessage,
  PlanMessage,
  Question,
  ResultFromWorker,
} from '../../pipe/messages.ts';
import { WorkerLostError } from '../processes/loss.ts';
import type { Answer, Run } from '../processes/run.ts';
import type { RunPages } from './run-pages.ts';

/** A part of a result. `rows`: JSON bytes, as the worker wrote them. */
export type HostedPart =
  | { readonly kind: 'header'; readonly header: HeaderMessage }
  | { readonly kind: 'rows'; readonly rows: Pieces; readonly rowCount: number }
  | { readonly kind: 'end'; readonly end: EndMessage }
  /** All of it, where it is short. */
  | {
      readonly kind: 'whole';
      readonly header: HeaderMessage;
      readonly rows: Pieces;
      readonly end: EndMessage;
    };

export type HostedAnswer =
  | HostedPart
  | { readonly kind: 'planned'; readonly plan: PlanMessage }
  | { readonly kind: 'described'; readonly description: StatementDescription }
  | { readonly kind: 'moved' };

export interface HostedRun extends Run {
  /** The next part; null after the last. Throws what the query failed with, or WorkerLostError. */
  next(): Promise<HostedAnswer | null>;
  /** Resolves when nothing more comes of it. */
  readonly settled: Promise<void>;
  readonly isSettled: boolean;
}

export interface HostedRunOptions {
  readonly tenantId: string;
  readonly sql: string;
  readonly isLong: () => boolean;
  readonly mayMove: boolean;
  /** To be told once what it read, when it reads no more. */
  readonly onRead: (halfUnits: number) => void;
  readonly pages: Pick<RunPages, 'settle' | 'end'>;
  readonly answer: (question: Question) => Promise<Answer>;
  readonly onFound: (found: TableFindings) => void;
}

export function createHostedRun(options: HostedRunOptions): HostedRun {
  const { onRead } = options;
  const settled = Promise.withResolvers<void>();
  const parts: HostedAnswer[] = [];
  let failure: { readonly error: unknown } | null = null;
  let isSettled = false;
  let isAnswered = false;
  let wake: (() => void) | null = null;

  const settle = (): void => {
    isSettled = true;
    settled.resolve();
  };
  const add = (part: HostedAnswer): void => {
    isAnswered = true;
    parts.push(part);
    wake?.();
  };
  const fail = (error: unknown): void => {
    failure ??= { error };
    settle();
    wake?.();
  };
  const partOf = (message: Exclude<ResultFromWorker, { kind: 'failed' }>, bytes: Pieces): HostedAnswer => {
    switch (message.kind) {
      case 'header': {
        const { columns, columnTypes } = message;
        return { kind: 'header', header: { columns, columnTypes } };
      }
      case 'rows':
        return { kind: 'rows', rows: bytes, rowCount: message.rowCount };
      case 'end':
        return { kind: 'end', end: message.end };
      case 'whole':
        return { kind: 'whole', header: message.header, rows: bytes, end: message.end };
      case 'planned':
        return { kind: 'planned', plan: message.plan };
      case 'described':
        return { kind: 'described', description: message.description };
      case 'moved':
        return { kind: 'moved' };
    }
  };

  return {
    tenantId: options.tenantId,
    sql: options.sql,
    startedAt: performance.now(),
    get isLong() {
      return options.isLong();
    },
    get isAnswered() {
      return isAnswered;
    },
    mayMove: options.mayMove,
    answer: options.answer,
    onFound: options.onFound,
    onPage: (page) => options.pages.settle(page),
    onUnits(halfUnits) {
      onRead(halfUnits);
      options.pages.end(halfUnits);
    },
    onResult(message, bytes) {
      if (message.kind === 'failed') {
        fail(fromErrorMessage(message.error));
        return;
      }
      if (message.kind !== 'header' && message.kind !== 'rows') settle();
      // It has read nothing.
      if (message.kind === 'moved') {
        onRead(0);
        options.pages.end(0);
      }
      add(partOf(message, bytes));
    },
    onLost: (loss) => fail(new WorkerLostError(loss)),
    async next() {
      while (parts.length === 0 && failure === null && !isSettled)
        await new Promise<void>((resolve) => (wake = resolve));
      const part = parts.shift();
      if (part !== undefined) return part;
      if (failure !== null) throw failure.error;
      return null;
    },
    settled: settled.promise,
    get isSettled() {
      return isSettled;
    },
  };
}
