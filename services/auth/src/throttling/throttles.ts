import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';
import { throttleKeyOf } from '@penstock/common/net/throttle-key.ts';
import {
  METADATA_DOCUMENT,
  REGISTRATION_TRIES,
  SIGN_IN_TRIES,
  STRANGERS_TRIES,
  WRONG_SECRET_TRIES,
} from '../limits.ts';
import { createAttempts } from './attempts.ts';
import { keyedBy } from './attempts.ts';
import type { Attempts } from './attempts.ts';

/** The limits on what strangers may do at auth. */
export interface Throttles {
  /** Of browsers that never signed in to the account. */
  readonly signInsByAccount: Attempts;
  /** Likewise; the key names account and address. */
  readonly signInsByAccountAndAddress: Attempts;
  /** Of browsers that did sign in; the key names account and browser. */
  readonly signInsByBrowser: Attempts;
  readonly signInsByAddress: Attempts;
  readonly wrongSecrets: Attempts;
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
    // The gateway counts wrong secrets of the REST API under this name.
    wrongSecrets: byAddress('secrets', WRONG_SECRET_TRIES.perAddress, WRONG_SECRET_TRIES.windowS),
    registrations: byAddress('registrations', REGISTRATION_TRIES.perAddress, REGISTRATION_TRIES.windowS),
    documentsByHost: attempts('metadata-documents', perHost, perHostWindowS),
  });
}
