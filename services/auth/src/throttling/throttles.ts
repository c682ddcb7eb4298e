import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';
import { metadataDocument, registrationTries, signInTries, wrongSecretTries } from '../limits.ts';
import { createAttempts } from './attempts.ts';
import type { Attempts } from './attempts.ts';

/** Everything of auth that strangers may do only so often. */
export interface Throttles {
  readonly signInsByAccount: Attempts;
  readonly signInsByAddress: Attempts;
  readonly wrongSecrets: Attempts;
  readonly registrations: Attempts;
  readonly documentsByHost: Attempts;
}

export function createThrottles(redis: Redis | null, logger: Logger): Throttles {
  const attempts = (name: string, tries: number, windowS: number): Attempts =>
    createAttempts(redis, logger, { name, tries, windowS });
  const { perHost, perHostWindowS } = metadataDocument;
  return Object.freeze({
    signInsByAccount: attempts('sign-ins:account', signInTries.perAccount, signInTries.windowS),
    signInsByAddress: attempts('sign-ins:address', signInTries.perAddress, signInTries.windowS),
    // The gateway counts wrong secrets of the REST API under this name.
    wrongSecrets: attempts('secrets', wrongSecretTries.perAddress, wrongSecretTries.windowS),
    registrations: attempts('registrations', registrationTries.perAddress, registrationTries.windowS),
    documentsByHost: attempts('metadata-documents', perHost, perHostWindowS),
  });
}
