import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';
import { WRONG_SECRETS } from '@penstock/common/throttling/limits.ts';
import { createWrongTries, type WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { WRONG_TOKENS_MAX, WRONG_TRIES_WINDOW_S } from '../limits.ts';

/** What strangers may guess at, counted by their address. */
export interface Guesses {
  /** Client secrets; auth counts those of /token into the same window. */
  readonly secrets: WrongTries;
  /**
   * Everything that is found by what a caller presents: access and refresh tokens, codes, links, and requests to
   * /authorize.
   */
  readonly tokens: WrongTries;
}

/** `onRefusal` hears which limit refused. */
export function createGuesses(
  redis: Redis | null,
  logger: Logger,
  onRefusal: (limit: 'wrong_secrets' | 'wrong_tokens') => void = () => undefined,
): Guesses {
  return Object.freeze({
    secrets: createWrongTries(redis, logger, {
      ...WRONG_SECRETS,
      what: 'wrong client secrets',
      onRefusal: () => onRefusal('wrong_secrets'),
    }),
    tokens: createWrongTries(redis, logger, {
      windowS: WRONG_TRIES_WINDOW_S,
      name: 'tokens',
      what: 'wrong tokens or sign-in requests from this address',
      tries: WRONG_TOKENS_MAX,
      onRefusal: () => onRefusal('wrong_tokens'),
    }),
  });
}
