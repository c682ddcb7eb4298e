/** A token bucket: refilled at `rps` a second up to `burst`; a request takes one token. */
export interface Rate {
  readonly rps: number;
  readonly burst: number;
}

/** Null: let in. Else how long until there is a token, in seconds. */
export type Verdict = number | null;

export interface TokenBuckets {
  take(key: string, rate: Rate): Promise<Verdict>;
}
