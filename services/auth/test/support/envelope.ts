import { createEnvelope } from '../../src/keys/envelope.ts';
import type { Envelope } from '../../src/keys/envelope.ts';

/** An envelope by itself: no table is told of its keys. */
export const envelopeOf = (...keys: readonly Uint8Array[]): Envelope =>
  createEnvelope({ keys, beforeSealing: async () => undefined });
