import type { Random } from '../../chaos/random.ts';
import type { FuzzAnswer, FuzzRequest } from '../support/send.ts';

/** Something that takes requests. */
export interface Target {
  readonly name: string;
  /** Another request, spoiled somewhere. */
  readonly next: (random: Random) => FuzzRequest | Promise<FuzzRequest>;
  /** Where it takes no HTTP. */
  readonly send?: (request: FuzzRequest) => Promise<FuzzAnswer>;
}
