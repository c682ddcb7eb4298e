/** A token bucket: refilled at `rps` a second up to `burst`; a request takes one token. */
export interface Rate {
  readonly rps: number;
  readonly burst: number;
}

/** Seconds until there is a token; null: the request has one. */
export type WaitS = number | null;

export interface TokenBuckets {
  take(key: string, rate: Rate): Promise<WaitS>;
}
