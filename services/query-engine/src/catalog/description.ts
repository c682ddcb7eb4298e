/** What is told of a statement before anything is read: its columns, with types that hold whatever is read, and its parameters. */

/** Types by the names that stages, pipe and RPC use. */
export type WideType =
  | 'text' | 'numeric' | 'boolean' | 'binary' | 'json' | 'int2' | 'int4' | 'int8' | 'float4' | 'float8'
  | 'date' | 'time' | 'timestamp' | 'timestamptz' | 'interval'; // oxfmt-ignore

/** Whose rules a statement may be read by in place of ours. */
export interface SqlRules {
  readonly engine: 'postgresql';
  /** By it a table may be named before its schema; absent: by none. */
  readonly database?: string;
  /** The session's, by its IANA name; absent: UTC. */
  readonly timeZone?: string;
}

export interface DescribedColumn {
  readonly name: string;
  readonly type: WideType;
  /** The attribute that it is, its path joined by dots; empty where it is computed. */
  readonly attribute: string;
  /** It is an attribute of its table's primary key. */
  readonly isKey: boolean;
}

/** A parameter. Null: its type is to be inferred. */
export interface AskedParameter {
  /** Of a list, what its elements are. */
  readonly type: WideType | null;
  readonly isList: boolean;
}

export type KnownParameter = AskedParameter & { readonly type: WideType };

export interface DescribeRequest {
  readonly sql: string;
  readonly parameters: readonly AskedParameter[];
  /** As in a statement's request. */
  readonly searchPath?: readonly string[];
  readonly rules?: SqlRules | undefined;
}

export interface StatementDescription {
  readonly columns: readonly DescribedColumn[];
  readonly parameters: readonly KnownParameter[];
}
