/**
 * Tells other engines of tables that are throttled, and hears of them: all that read a table slow down together, whether
 * its reads have a limit or not. Nobody waits for it; while Redis is away, each engine finds out by itself.
 */
import type { Redis } from 'ioredis';
import type { Throttling } from '../../scheduling/throttling.ts';
import { listen } from '../listen.ts';

const CHANNEL = 'penstock:throttled';

interface News extends Throttling {
  /** Who tells it. */
  readonly engine: string;
}

function isNews(value: unknown): value is News {
  if (typeof value !== 'object' || value === null) return false;
  const { engine, table, pauseMs } = value as Partial<Record<keyof News, unknown>>;
  return typeof engine === 'string' && typeof table === 'string' && typeof pauseMs === 'number';
}

export interface ThrottlingNews {
  tell(throttling: Throttling): void;
  /** `onHeard` is told what other engines tell, from now on. */
  listen(onHeard: (throttling: Throttling) => void): void;
}

/** `subscriber`: a connection that only listens. `self`: the engine's name. */
export function createThrottlingNews(redis: Redis, subscriber: Redis, self: string): ThrottlingNews {
  return Object.freeze({
    tell(throttling) {
      redis
        .publish(CHANNEL, JSON.stringify({ engine: self, ...throttling } satisfies News))
        .catch(() => undefined);
    },
    listen(onHeard) {
      listen(subscriber, {
        [CHANNEL](text) {
          let news: unknown;
          try {
            news = JSON.parse(text);
          } catch {
            return;
          }
          if (isNews(news) && news.engine !== self) onHeard({ table: news.table, pauseMs: news.pauseMs });
        },
      });
    },
  } satisfies ThrottlingNews);
}
