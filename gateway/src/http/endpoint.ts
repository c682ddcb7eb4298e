import type { Exchange } from './exchange.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One route as data, so that the app, its 405 answers and its description come from one list. */
export interface Endpoint {
  readonly method: Method;
  /** As Express writes it: `/v1/schemas/:schemaName`. */
  readonly path: string;
  /** Answers the exchange, or rejects with what the error envelope is to say. */
  readonly handle: (exchange: Exchange) => Promise<void>;
  /**
   * Answers the path's other methods with 405, in the form that the endpoint's own standard has for errors. Absent:
   * the REST envelope. `Allow` has been set.
   */
  readonly refuseMethod?: (exchange: Exchange, message: string) => void;
}
