/** A worker's connection to its host: what it asks about its queries, and what it tells. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Sender } from '../pipe/channel.ts';
import { fromErrorMessage } from '../pipe/error-message.ts';
import type { FromWorker, Question, ToWorker } from '../pipe/messages.ts';

export interface HostAnswer {
  readonly answer: unknown;
  readonly bytes: Uint8Array;
}

export interface HostLink {
  /** Throws what the host refused it with, or the signal's reason. */
  ask(query: number, question: Question, signal: AbortSignal): Promise<HostAnswer>;
  tell(message: FromWorker): void;
  /** Takes the answers among what the host says. */
  onMessage(message: ToWorker, bytes: Uint8Array): void;
}

interface Asked {
  readonly answered: (answer: HostAnswer) => void;
  readonly refused: (error: unknown) => void;
}

export function createHostLink(toHost: Sender<FromWorker>): HostLink {
  const waiting = new Map<number, Asked>();
  let last = 0;
  return {
    ask: (query, question, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const ask = ++last;
        const over = (): void => {
          waiting.delete(ask);
          signal.removeEventListener('abort', gaveUp);
        };
        const gaveUp = (): void => {
          over();
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', gaveUp, { once: true });
        waiting.set(ask, {
          answered: (answer) => {
            over();
            resolve(answer);
          },
          refused: (error) => {
            over();
            reject(error instanceof Error ? error : new PenstockError('INTERNAL', 'Internal error'));
          },
        });
        toHost.send({ kind: 'question', query, ask, question });
      }),
    tell: (message) => toHost.send(message),
    onMessage(message, bytes) {
      if (message.kind === 'answer') waiting.get(message.ask)?.answered({ answer: message.answer, bytes });
      if (message.kind === 'refusal') waiting.get(message.ask)?.refused(fromErrorMessage(message.error));
    },
  };
}

/** The name that a worker's calls carry in place of a token: the host knows the token of each query. */
export const tokenOfQuery = (query: number): string => String(query);
export const queryOfToken = (token: string): number => Number(token);
