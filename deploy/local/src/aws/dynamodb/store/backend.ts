/** A running DynamoDB emulator that holds one account's tables of one region. */
export interface Backend {
  /** TCP port on 127.0.0.1. */
  readonly port: number;
  /** Whether it still runs, as far as is known. */
  isAlive(): boolean;
  /** Ends it; resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts an emulator on the data at `path`, which is made when it is not there. */
export type StartBackend = (path: string) => Promise<Backend>;
