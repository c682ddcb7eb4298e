import type { Random } from '../../chaos/random.ts';
import { toJson } from '../support/nasty.ts';

/** Longer bodies are answered with 413 before anybody reads them. */
const BYTES_MAX = 256 * 1_024;

/** A value as the bytes of a body; now and then cut off, doubled or no UTF-8. */
export function bodyBytes(random: Random, value: unknown): Uint8Array {
  const text = typeof value === 'string' ? value : toJson(value);
  const bytes = Buffer.from(text).subarray(0, BYTES_MAX);
  switch (random.below(24)) {
    case 0:
      return bytes.subarray(0, random.below(bytes.length + 1));
    case 1:
      return Buffer.concat([bytes, bytes]);
    case 2: {
      const spoiled = Buffer.from(bytes);
      if (spoiled.length > 0)
        spoiled[random.below(spoiled.length)] = random.pick([0, 0x80, 0xc0, 0xed, 0xf8, 0xff]);
      return spoiled;
    }
    case 3:
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    default:
      return bytes;
  }
}
