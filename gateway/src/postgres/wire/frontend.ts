/** What clients say, as data. */

export type StartupMessage =
  | { readonly kind: 'sslRequest' }
  | { readonly kind: 'gssEncRequest' }
  | { readonly kind: 'cancelRequest'; readonly backendPid: number; readonly key: Buffer }
  | {
      readonly kind: 'startup';
      readonly major: number;
      readonly minor: number;
      readonly parameters: ReadonlyMap<string, string>;
    };

/** A value, or NULL. */
export type Value = Buffer | null;

export type FrontendMessage =
  | { readonly kind: 'query'; readonly sql: string }
  | {
      readonly kind: 'parse';
      readonly name: string;
      readonly sql: string;
      readonly parameterOids: readonly number[];
    }
  | {
      readonly kind: 'bind';
      readonly portal: string;
      readonly statement: string;
      readonly parameterFormats: readonly number[];
      readonly parameters: readonly Value[];
      readonly resultFormats: readonly number[];
    }
  | { readonly kind: 'describe' | 'close'; readonly what: 'statement' | 'portal'; readonly name: string }
  | { readonly kind: 'execute'; readonly portal: string; readonly maxRows: number }
  | { readonly kind: 'flush' | 'sync' | 'terminate' | 'copyDone' | 'functionCall' }
  | { readonly kind: 'copyData' | 'copyFail' }
  /** Of a sign-in: what it is depends on what was asked. */
  | { readonly kind: 'password'; readonly bytes: Buffer }
  /** A message that cannot be taken; the session goes on behind it. */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly isExtended: boolean;
    };
