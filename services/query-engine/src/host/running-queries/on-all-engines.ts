/**
 * Looks at queries, stops them and has them read on, whichever engine executes them. Nothing is written anywhere while a query runs: engines
 * ask each other through Redis, which says how many there are that heard the question.
 */
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { ENGINES_ANSWER_MS_MAX } from '../limits.ts';
import { listen } from '../listen.ts';
import {
  together,
  type QueryProgress,
  type RequestOfTenant,
  type RunningQueries,
} from './running-queries.ts';

const ASKED = 'penstock:queries:asked';
const answersTo = (engine: string): string => `penstock:queries:answered:${engine}`;

const questionShape = z.object({
  /** Who asks, and the number of its question. */
  engine: z.string(),
  question: z.number(),
  wants: z.enum(['look', 'stop', 'want']),
  /** How many are wanted. */
  rows: z.number().optional(),
  tenantId: z.string(),
  requestId: z.string(),
});
type Question = z.infer<typeof questionShape>;

const answerShape = z.object({
  question: z.number(),
  found: z
    .object({ isQueued: z.boolean(), rows: z.number(), halfUnits: z.number(), elapsedMs: z.number() })
    .nullable(),
});
type Answer = z.infer<typeof answerShape>;

/** Null where it is of another shape: from an engine of another version. */
function parsed<T>(shape: z.ZodType<T>, text: string): T | null {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export interface QueriesOnAllEngines {
  /**
   * How far a request's queries are; null where there are none. Throws UNAVAILABLE where this engine has none and not all
   * others can be asked.
   */
  ask(wants: Question['wants'], request: RequestOfTenant, rows?: number): Promise<QueryProgress | null>;
}

export interface QueriesOnAllEnginesOptions {
  readonly own: RunningQueries;
  readonly redis: Redis;
  /** A connection that only listens. */
  readonly subscriber: Redis;
  /** This engine's name. */
  readonly self: string;
}

/** What came of one question so far. */
interface Open {
  readonly answers: Answer[];
  onAnswer: () => void;
}

const unreachable = (cause?: unknown): PenstockError =>
  new PenstockError('UNAVAILABLE', 'Not every query engine can be asked for its queries now', {
    retryAfterS: 1,
    cause,
  });

export function queriesOnAllEngines(options: QueriesOnAllEnginesOptions): QueriesOnAllEngines {
  const { own, redis, subscriber, self } = options;
  const open = new Map<number, Open>();
  let lastQuestion = 0;

  const answer = ({ engine, question, wants, rows = 0, ...request }: Question): void => {
    if (engine === self) return;
    const found = own[wants](request, rows);
    redis
      .publish(answersTo(engine), JSON.stringify({ question, found } satisfies Answer))
      .catch(() => undefined);
  };
  const listening = listen(subscriber, {
    [ASKED](text) {
      const question = parsed(questionShape, text);
      if (question !== null) answer(question);
    },
    [answersTo(self)](text) {
      const told = parsed(answerShape, text);
      const asked = told === null ? undefined : open.get(told.question);
      if (told === null || asked === undefined) return;
      asked.answers.push(told);
      asked.onAnswer();
    },
  });

  /** What the other engines have; null where not all of them said it in time. */
  const askOthers = async (
    wants: Question['wants'],
    request: RequestOfTenant,
    rows: number | undefined,
  ): Promise<readonly Answer[] | null> => {
    if (!listening.isHeard) return null;
    const question = (lastQuestion += 1);
    const asked: Open = { answers: [], onAnswer: () => undefined };
    open.set(question, asked);
    try {
      const message: Question = { engine: self, question, wants, rows, ...request };
      // Itself is one of those that hear it.
      const others = (await redis.publish(ASKED, JSON.stringify(message))) - 1;
      const isComplete = (): boolean => asked.answers.length >= others;
      if (isComplete()) return asked.answers;
      const waited = Promise.withResolvers<void>();
      asked.onAnswer = () => {
        if (isComplete()) waited.resolve();
      };
      const timer = setTimeout(waited.resolve, ENGINES_ANSWER_MS_MAX);
      await waited.promise;
      clearTimeout(timer);
      return isComplete() || asked.answers.some(({ found }) => found !== null) ? asked.answers : null;
    } finally {
      open.delete(question);
    }
  };

  return Object.freeze({
    async ask(wants, { tenantId, requestId }, rows) {
      const request = { tenantId, requestId };
      const mine = own[wants](request, rows ?? 0);
      const outcome = await askOthers(wants, request, rows).then(
        (answers) => ({ answers, error: undefined }),
        (error: unknown) => ({ answers: null, error }),
      );
      if (outcome.answers === null && mine === null) throw unreachable(outcome.error);
      const theirs = (outcome.answers ?? []).flatMap(({ found }) => (found === null ? [] : [found]));
      return together(mine === null ? theirs : [mine, ...theirs]);
    },
  } satisfies QueriesOnAllEngines);
}
