import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';
import { throttleKeyOf } from '@penstock/common/net/throttle-key.ts';
import {
  metadataDocument,
  registrationTries,
  signInTries,
  strangersTries,
  wrongSecretTries,
} from '../limits.ts';
import { createAttempts } from './attempts.ts';
import { keyedBy } from './attempts.ts';
import type { Attempts } from './attempts.ts';

/** Everything of auth that strangers may do only so often. */
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
  const { perHost, perHostWindowS } = metadataDocument;
  return Object.freeze({
    signInsByAccount: attempts('sign-ins:strangers', strangersTries.perAccount, strangersTries.windowS),
    signInsByAccountAndAddress: attempts(
      'sign-ins:account-address',
      signInTries.perAccount,
      signInTries.windowS,
    ),
    signInsByBrowser: attempts('sign-ins:browser', signInTries.perAccount, signInTries.windowS),
    signInsByAddress: byAddress('sign-ins:address', signInTries.perAddress, signInTries.windowS),
    // The gateway counts wrong secrets of the REST API under this name.
    wrongSecrets: byAddress('secrets', wrongSecretTries.perAddress, wrongSecretTries.windowS),
    registrations: byAddress('registrations', registrationTries.perAddress, registrationTries.windowS),
    documentsByHost: attempts('metadata-documents', perHost, perHostWindowS),
  });
}
