import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';
import { WRONG_SECRETS_MAX, WRONG_TOKENS_MAX, WRONG_TRIES_WINDOW_S } from '../limits.ts';
import { createWrongTries, type WrongTries } from './wrong-tries.ts';

/** What strangers may guess at, counted by their address. */
export interface Guesses {
  /** Client secrets; auth counts those of /token into the same window. */
  readonly secrets: WrongTries;
  /**
   * Everything that is found by what a caller presents: access and refresh tokens, codes, links, and requests to
   * /authorize. Nobody can guess 256 random bits. The limit keeps a flood of guesses from becoming a flood of reads.
   */
  readonly tokens: WrongTries;
}

/** `onRefusal` hears which limit refused. */
export function createGuesses(
  redis: Redis | null,
  logger: Logger,
  onRefusal: (limit: 'wrong_secrets' | 'wrong_tokens') => void = () => undefined,
): Guesses {
  const window = { windowS: WRONG_TRIES_WINDOW_S };
  return Object.freeze({
    secrets: createWrongTries(redis, logger, {
      ...window,
      name: 'secrets',
      what: 'wrong client secrets',
      tries: WRONG_SECRETS_MAX,
      onRefusal: () => onRefusal('wrong_secrets'),
    }),
    tokens: createWrongTries(redis, logger, {
      ...window,
      name: 'tokens',
      what: 'wrong tokens or sign-in requests from this address',
      tries: WRONG_TOKENS_MAX,
      onRefusal: () => onRefusal('wrong_tokens'),
    }),
  });
}
