/**
 * What the engine knows about a function: one entry of the closed list. A function that has no entry can't be called,
 * whatever the engine underneath offers.
 */

/** What kind of value comes out: enough to pick a column type and to refuse what can't fit. */
export type ValueCategory =
  'number' | 'integer' | 'text' | 'boolean' | 'date' | 'time' | 'timestamp' | 'interval' | 'json' | 'binary';

/** A category; or as an argument (counted from 0); or what all arguments have in common. */
export type ResultRule = ValueCategory | { readonly sameAs: number } | 'common';

export interface FunctionDefinition {
  /** Upper-case. */
  readonly name: string;
  /** Other names of the same function, upper-case. */
  readonly aliases: readonly string[];
  readonly kind: 'scalar' | 'aggregate' | 'window';
  readonly family: 'numeric' | 'string' | 'conditional' | 'temporal' | 'json' | 'aggregate' | 'window';
  /** How many arguments; `max` null: any number. */
  readonly min: number;
  readonly max: number | null;
  readonly result: ResultRule;
  /** One line for people. */
  readonly summary: string;
  /**
   * Arguments as SQL, and the value as text. An aggregate's run over the rows x = 1, 2, 3, 4; a window's are listed by
   * row, ordered by x, joined with a space. `value` is null for what depends on the clock.
   */
  readonly example: { readonly arguments: readonly string[]; readonly value: string | null };
  /**
   * How DuckDB spells it: a plain name, or a template with `$1`, `$2`… for the arguments. A template's arguments are
   * to be put in parentheses by whoever renders it. Aggregates and windows are plain names always.
   */
  readonly duckdb: string;
  /** Template (`$1`) put around the whole call of an aggregate or window, its FILTER and OVER included. */
  readonly wrap: string | null;
  /**
   * Arguments (from 0) that must be a date or timestamp: DynamoDB has only text for these, so an argument that is text
   * is to be cast to TIMESTAMP first.
   */
  readonly temporalArguments: readonly number[];
  /** Arguments (from 0) that must be text: one that is not is to be cast to VARCHAR first. */
  readonly textArguments: readonly number[];
}

type Written = Pick<FunctionDefinition, 'name' | 'min' | 'max' | 'result' | 'summary' | 'example'> &
  Partial<Omit<FunctionDefinition, 'kind' | 'family'>>;

/** Fills in what most entries of a family have in common, and freezes. */
export function family(
  kind: FunctionDefinition['kind'],
  name: FunctionDefinition['family'],
  entries: readonly Written[],
): readonly FunctionDefinition[] {
  return Object.freeze(
    entries.map((entry) =>
      Object.freeze({
        aliases: [],
        duckdb: entry.name.toLowerCase(),
        wrap: null,
        temporalArguments: [],
        textArguments: [],
        ...entry,
        kind,
        family: name,
      }),
    ),
  );
}
