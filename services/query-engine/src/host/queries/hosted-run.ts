/** What a worker says of one query, in the order in which it is to be passed on. */
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
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
import { WorkerLostError, type Loss } from '../processes/loss.ts';
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

/** A query found no memory beside those of other tenants. */
export class CrowdedOutError extends Error {
  readonly failure: PenstockError;

  constructor(failure: PenstockError) {
    super(failure.message);
    this.failure = failure;
  }
}

export interface HostedRun extends Run {
  /** The next part; null after the last. Throws what the query failed with, WorkerLostError or CrowdedOutError. */
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

function partOf(message: Exclude<ResultFromWorker, { kind: 'failed' }>, bytes: Pieces): HostedAnswer {
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
}

class RunOfWorker implements HostedRun {
  readonly startedAt = performance.now();
  isAnswered = false;
  isSettled = false;
  private readonly options: HostedRunOptions;
  private readonly over = Promise.withResolvers<void>();
  private readonly parts: HostedAnswer[] = [];
  private failure: { readonly error: unknown } | null = null;
  private wake: (() => void) | null = null;

  constructor(options: HostedRunOptions) {
    this.options = options;
  }

  get tenantId(): string {
    return this.options.tenantId;
  }

  get sql(): string {
    return this.options.sql;
  }

  get mayMove(): boolean {
    return this.options.mayMove;
  }

  get isLong(): boolean {
    return this.options.isLong();
  }

  get settled(): Promise<void> {
    return this.over.promise;
  }

  answer(question: Question): Promise<Answer> {
    return this.options.answer(question);
  }

  onFound(found: TableFindings): void {
    this.options.onFound(found);
  }

  onPage(page: Parameters<RunPages['settle']>[0]): void {
    this.options.pages.settle(page);
  }

  onUnits(halfUnits: number): void {
    this.options.onRead(halfUnits);
    this.options.pages.end(halfUnits);
  }

  onResult(message: ResultFromWorker, bytes: Pieces): void {
    if (message.kind === 'failed') {
      const error = fromErrorMessage(message.error);
      this.fail(message.isCrowdedOut === true ? new CrowdedOutError(error) : error);
      return;
    }
    if (message.kind !== 'header' && message.kind !== 'rows') this.settle();
    // It has read nothing.
    if (message.kind === 'moved') this.onUnits(0);
    this.isAnswered = true;
    this.parts.push(partOf(message, bytes));
    this.wake?.();
  }

  onLost(loss: Loss): void {
    this.fail(new WorkerLostError(loss));
  }

  async next(): Promise<HostedAnswer | null> {
    while (this.parts.length === 0 && this.failure === null && !this.isSettled)
      await new Promise<void>((resolve) => (this.wake = resolve));
    const part = this.parts.shift();
    if (part !== undefined) return part;
    if (this.failure !== null) throw this.failure.error;
    return null;
  }

  private settle(): void {
    this.isSettled = true;
    this.over.resolve();
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.settle();
    this.wake?.();
  }
}

export const createHostedRun = (options: HostedRunOptions): HostedRun => new RunOfWorker(options);
