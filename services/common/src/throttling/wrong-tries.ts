/**
 * What strangers may guess at, counted by their address. A right secret is never refused because of wrong ones: behind one
 * address there may be a company, a balancer or a shared BI service. Nobody can guess 256 random bits; what is bounded is
 * how much a flood of guesses makes us look up.
 */
import type { Redis } from 'ioredis';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { boundedCache } from '../caching/bounded-cache.ts';
import { PenstockError } from '../errors/penstock-error.ts';
import type { Logger } from '../logging/logger.ts';
import { throttleKeyOf } from '../net/throttle-key.ts';
import { createAttempts } from './attempts.ts';
import { KNOWN_MAX, LOOKUPS_PER_S } from './limits.ts';

/** Where a try comes from: an HTTP request, or a connection of another protocol. */
export interface TriesFrom {
  readonly request: { readonly ip?: string | undefined };
}

/** Counts wrong secrets and tokens by the address that presents them. Right ones do not count. */
export interface WrongTries {
  /**
   * Does the work, and counts it where `isWrong` says so, by its result or its error. For an address that has had its tries
   * only so much is looked up each second: what is right then is answered as ever, what is wrong is refused.
   *
   * @throws PenstockError RATE_LIMITED, and what the work throws
   */
  attempt<T>(from: TriesFrom, work: () => Promise<T>, isWrong: IsWrong<T>): Promise<T>;
}

export interface IsWrong<T> {
  readonly result?: (result: T) => boolean;
  /** The code of the error that says so. */
  readonly code?: PenstockError['code'];
  /** Who says to be there: once right, others at its address do not take its turns. */
  readonly who?: string;
  /** The work asks back: it counts from its beginning until it is right, since who leaves in the middle was looked up. */
  readonly asksBack?: boolean;
}

interface WrongTriesOptions {
  /** What is counted, in Redis: processes that use one name count together. */
  readonly name: string;
  /** As an error says it: "wrong client secrets". */
  readonly what: string;
  readonly tries: number;
  readonly windowS: number;
  readonly onRefusal?: () => void;
}

/** While an address looks up as much as it may: when there is room again. */
const SOON_S = 1;

export function createWrongTries(
  redis: Redis | null,
  logger: Logger,
  { name, what, tries, windowS, onRefusal }: WrongTriesOptions,
): WrongTries {
  const counted = createAttempts(redis, logger, { name, tries, windowS });
  const lookups = new RateLimiterMemory({ points: LOOKUPS_PER_S, duration: 1 });
  const known = boundedCache<true>(KNOWN_MAX);

  const refusal = (retryAfterS: number, cause?: unknown): PenstockError => {
    onRefusal?.();
    const message = `Too many ${what}; retry after ${retryAfterS} s`;
    return new PenstockError('RATE_LIMITED', message, { retryAfterS, cause });
  };
  const mayLookUp = (turns: string): Promise<boolean> =>
    lookups.consume(turns).then(
      () => true,
      () => false,
    );

  return Object.freeze({
    async attempt<T>({ request }: TriesFrom, work: () => Promise<T>, isWrong: IsWrong<T>): Promise<T> {
      const { who, asksBack = false } = isWrong;
      const key = throttleKeyOf(request.ip ?? '');
      const own = who === undefined ? key : `${key} ${who}`;
      const waitS = await (asksBack ? counted.take(key) : counted.peek(key));
      if (waitS !== null && !(await mayLookUp(known.get(own) ? own : key))) throw refusal(SOON_S);

      const wrong = async (): Promise<void> => {
        if (!asksBack) await counted.take(key);
      };
      const giveBack = async (): Promise<void> => {
        if (asksBack) await counted.giveBack(key);
      };
      let result: T;
      try {
        result = await work();
      } catch (error) {
        if (!(error instanceof PenstockError)) throw error;
        if (error.code !== isWrong.code) {
          await giveBack();
          throw error;
        }
        await wrong();
        throw waitS === null ? error : refusal(waitS, error);
      }
      if (isWrong.result?.(result) === true) {
        await wrong();
        if (waitS !== null) throw refusal(waitS);
        return result;
      }
      await giveBack();
      if (who !== undefined) known.set(own, true);
      return result;
    },
  });
}
