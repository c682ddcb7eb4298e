import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';
import { throttleKeyOf } from '@penstock/common/net/throttle-key.ts';
import { createAttempts, keyedBy, type Attempts } from '@penstock/common/throttling/attempts.ts';
import { WRONG_SECRETS } from '@penstock/common/throttling/limits.ts';
import { createWrongTries, type WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { METADATA_DOCUMENT, REGISTRATION_TRIES, SIGN_IN_TRIES, STRANGERS_TRIES } from '../limits.ts';

/** The limits on what strangers may do at auth. */
export interface Throttles {
  /** Of browsers that never signed in to the account. */
  readonly signInsByAccount: Attempts;
  /** Likewise; the key names account and address. */
  readonly signInsByAccountAndAddress: Attempts;
  /** Of browsers that did sign in; the key names account and browser. */
  readonly signInsByBrowser: Attempts;
  readonly signInsByAddress: Attempts;
  readonly wrongSecrets: WrongTries;
  readonly registrations: Attempts;
  readonly documentsByHost: Attempts;
}

export function createThrottles(redis: Redis | null, logger: Logger): Throttles {
  const attempts = (name: string, tries: number, windowS: number): Attempts =>
    createAttempts(redis, logger, { name, tries, windowS });
  const byAddress = (name: string, tries: number, windowS: number): Attempts =>
    keyedBy(throttleKeyOf, attempts(name, tries, windowS));
  const { perHost, perHostWindowS } = METADATA_DOCUMENT;
  return Object.freeze({
    signInsByAccount: attempts('sign-ins:strangers', STRANGERS_TRIES.perAccount, STRANGERS_TRIES.windowS),
    signInsByAccountAndAddress: attempts(
      'sign-ins:account-address',
      SIGN_IN_TRIES.perAccount,
      SIGN_IN_TRIES.windowS,
    ),
    signInsByBrowser: attempts('sign-ins:browser', SIGN_IN_TRIES.perAccount, SIGN_IN_TRIES.windowS),
    signInsByAddress: byAddress('sign-ins:address', SIGN_IN_TRIES.perAddress, SIGN_IN_TRIES.windowS),
    // The gateway counts wrong secrets of the REST API and of the PostgreSQL endpoint into the same window.
    wrongSecrets: createWrongTries(redis, logger, { ...WRONG_SECRETS, what: 'wrong client secrets' }),
    registrations: byAddress('registrations', REGISTRATION_TRIES.perAddress, REGISTRATION_TRIES.windowS),
    documentsByHost: attempts('metadata-documents', perHost, perHostWindowS),
  });
}
