/** A running DynamoDB emulator that holds one account's tables of one region. */
export interface Backend {
  /** TCP port on 127.0.0.1. */
  readonly port: number;
  /** Whether it still runs, as far as is known. */
  isAlive(): boolean;
  /** Ends it; resolves when it has ended. */
  stop(): Promise<void>;
}

/** An emulator program and what it is like. */
export interface Emulator {
  readonly start: StartBackend;
  /** It counts the item that no longer fits a page as scanned. */
  readonly overcountsCutPages: boolean;
  /** It keeps a store in the SQLite file `<path>.db`, where sizes can be read. */
  readonly keepsSqliteFile: boolean;
  /** It ignores the case of ASCII letters when a key condition asks for texts that begin with a prefix. */
  readonly ignoresCaseOfPrefixes: boolean;
}

/** Starts an emulator on the data at `path`, which is made when it is not there. */
export type StartBackend = (path: string) => Promise<Backend>;
