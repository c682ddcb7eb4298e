/** Calls of functions that have an implementation here: whatever has none is refused, so nothing of DuckDB's can be reached. */
import type { Bound, Field } from '../binder/bound.ts';
import type { BindContext, LookupTable } from '../binder/context.ts';

export interface Call {
  readonly context: BindContext;
  readonly name: string;
  /** With the types that the function wants. */
  readonly args: readonly Bound[];
  /** As they were written. */
  readonly given: readonly Bound[];
  /** OID of the result's type. */
  readonly result: number;
  readonly at: number;
}

/** DuckDB's SQL of a call, where it needs more: with the fields of a composite result. For sets: a list. */
export type Made = string | { readonly sql: string; readonly fields?: readonly Field[] };

/** SQL in which $1, $2 … stand for arguments and $* for all of them, or what makes it. */
export type Implementation = string | ((call: Call) => Made);

export type Implementations = Readonly<Record<string, Implementation>>;

/** Puts the arguments in. */
export function fill(template: string, args: readonly string[]): string {
  return template.replace(/\$(\*|\d+)/g, (_, which: string) =>
    which === '*' ? args.join(', ') : `(${args[Number(which) - 1] ?? 'NULL'})`,
  );
}

export const argument = (call: Call, index: number): string => `(${call.args[index]?.sql ?? 'NULL'})`;

/** A column of the row with that OID. */
export function lookUp(call: Call, table: LookupTable, column: string, oid: string): string {
  const alias = call.context.budget.nextAlias('n');
  return `(SELECT ${alias}.${column} FROM ${call.context.names.lookup[table]} ${alias} WHERE ${alias}.oid = ${oid})`;
}

/** DuckDB's name of a table of pg_catalog. */
export function tableOf({ context }: Call, name: string): string {
  const table = context.names.relation('pg_catalog', name)?.table;
  if (table === undefined) throw new Error(`${name} is no table`);
  return table;
}

/** Raises an error of ours when it is computed: see execution/errors.ts. */
export const raise = (code: string, message: string): string =>
  `error('PG ${code} ${message.replaceAll("'", "''")}')`;
