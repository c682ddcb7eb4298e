import type { Random } from '../../chaos/random.ts';
import type { FuzzRequest } from '../support/send.ts';

/** Something that takes requests. */
export interface Target {
  readonly name: string;
  /** Another request, spoiled somewhere. */
  readonly next: (random: Random) => FuzzRequest | Promise<FuzzRequest>;
}
