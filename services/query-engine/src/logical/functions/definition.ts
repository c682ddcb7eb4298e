/**
 * What the engine knows about a function: one record of the closed list says all of it. A function that has no record
 * can't be called, whatever the engine underneath offers.
 */

/** What kind of value comes out: enough to pick a column type and to refuse what can't fit. */
export type ValueCategory =
  | 'number'
  | 'integer'
  /** Of up to 38 digits. */
  | 'hugeInteger'
  | 'text'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'interval'
  | 'json'
  | 'binary';

/** A category; or as an argument (counted from 0); or what all arguments have in common. */
export type ResultRule = ValueCategory | { readonly sameAs: number } | 'common';

/**
 * What an argument is taken for, and converted to before DuckDB gets it; a writer of its own converts by itself.
 *
 * - `instant`: a date or timestamp, as which text is read, since DynamoDB has only text for these;
 * - `number`: with all its digits; `whole`: 64 bits; `short`: 32, where DuckDB takes no more; `steps`: what a series is counted by,
 *   a number, or else an instant or an interval;
 * - `characters`: a text that is counted or searched by character, which nobody means of a document's JSON text;
 * - `document`: a map, list or set, or JSON text; `list`: no map;
 * - `textOrList`: what has parts, of characters or elements;
 * - `step`: a JSON path, or a name or place in a document.
 */
export type ArgumentKind =
  | 'any'
  | 'text'
  | 'characters'
  | 'instant'
  | 'interval'
  | 'number'
  | 'steps'
  | 'double'
  | 'whole'
  | 'short'
  | 'condition'
  | 'document'
  | 'list'
  | 'textOrList'
  | 'step';

/** `?`: may be left out. `...`, for the last: any number of them, none too. */
export type ArgumentSpec = ArgumentKind | `${ArgumentKind}?` | `${ArgumentKind}...`;

/** What an argument has to be, where it has to be a constant, or where only some constants fit. */
export interface ConstantRule {
  readonly is:
    | 'text'
    | 'unit'
    | 'part'
    | 'zone'
    | 'dateFormat'
    | 'writtenFormat'
    | 'numberFormat'
    | 'byteFormat'
    | 'encoding'
    | 'regexOptions'
    | 'digit'
    | 'fraction'
    | 'fromOne';
  /** What messages call the argument, as in `The format of STRFTIME`. */
  readonly called?: string;
}

/** Scalar functions that `duckdb-sql/` writes by a function of their own, each under its name. */
export type OwnWriter =
  | 'ABS'
  | 'ARRAYS_OVERLAP'
  | 'ARRAY_CONTAINS'
  | 'ARRAY_POSITION'
  | 'ARRAY_TO_STRING'
  | 'CEIL'
  | 'COALESCE'
  | 'CONCAT'
  | 'CONCAT_WS'
  | 'CONTAINS'
  | 'DECODE'
  | 'DIV'
  | 'ENCODE'
  | 'MD5'
  | 'SHA256'
  | 'ELEMENTS'
  | 'ELEMENT_AT'
  | 'FLOOR'
  | 'GREATEST'
  | 'HEX'
  | 'IF'
  | 'JSONB_CONTAINS'
  | 'JSONB_EXISTS'
  | 'JSONB_EXISTS_ALL'
  | 'JSONB_EXISTS_ANY'
  | 'JSON_ARRAY'
  | 'JSON_ARRAY_LENGTH'
  | 'JSON_BUILD_OBJECT'
  | 'JSON_CONTAINS'
  | 'JSON_EXTRACT'
  | 'JSON_EXTRACT_PATH'
  | 'JSON_EXTRACT_PATH_TEXT'
  | 'JSON_GET'
  | 'JSON_TYPEOF'
  | 'JSON_VALID'
  | 'LEAST'
  | 'LENGTH'
  | 'LEVENSHTEIN'
  | 'LPAD'
  | 'MOD'
  | 'NULLIF'
  | 'NUMBER_TO_CHAR'
  | 'OCTET_LENGTH'
  | 'POSITION'
  | 'REGEXP_COUNT'
  | 'REGEXP_EXTRACT'
  | 'REGEXP_MATCH'
  | 'REGEXP_MATCHES'
  | 'REGEXP_REPLACE'
  | 'REGEXP_SPLIT_TO_ARRAY'
  | 'REPEAT'
  | 'REPLACE'
  | 'ROUND'
  | 'RPAD'
  | 'SEQUENCE'
  | 'SPLIT'
  | 'SPLIT_PART'
  | 'STRING_TO_ARRAY'
  | 'STRPOS'
  | 'TIMEZONE'
  | 'TO_BASE64'
  | 'TO_CHAR'
  | 'TO_DATE'
  | 'TO_JSON'
  | 'TO_TIMESTAMP'
  | 'TRUNC'
  | 'TYPEOF'
  | 'WIDTH_BUCKET';

/** How an aggregate or a window function is written; those that many share take DuckDB's name. */
export type AggregateForm =
  | { readonly form: NamedForm; readonly name: string }
  | { readonly form: UniqueForm };

/**
 * `doubles`: all arguments as doubles. `defined`: the same, NaN for too few values as NULL. `spread`: doubles, of
 * exact numbers' sums. `same`: the argument as it
 * is. `byKey`: the value of the row with the least or greatest key. `place` and `share`: of the row, without arguments.
 */
export type NamedForm =
  | 'doubles'
  | 'defined'
  | 'spread'
  | 'same'
  | 'condition'
  | 'bits'
  | 'byKey'
  | 'percentile'
  | 'place'
  | 'share'
  | 'shifted';

export type UniqueForm =
  | 'anyValue'
  | 'avg'
  | 'count'
  | 'countIf'
  | 'jsonList'
  | 'jsonMap'
  | 'mode'
  | 'nthValue'
  | 'ntile'
  | 'regrCount'
  | 'sum'
  | 'textList';

/** How the values of parts of a frame make the value of the whole. */
export type PartsRule =
  /** By a DuckDB aggregate over the parts' values. */
  | { readonly kind: 'aggregate'; readonly name: string }
  | { readonly kind: 'mean' }
  /** The value of the first, or the last, part that has rows. */
  | { readonly kind: 'place'; readonly from: 'first' | 'last' };

interface Common {
  /** Upper-case. */
  readonly name: string;
  /** Other names of the same function, upper-case. */
  readonly aliases: readonly string[];
  readonly family: 'numeric' | 'string' | 'conditional' | 'temporal' | 'json' | 'aggregate' | 'window';
  readonly takes: readonly ArgumentSpec[];
  /** How many arguments, which `takes` says; `max` null: any number. */
  readonly min: number;
  readonly max: number | null;
  readonly result: ResultRule;
  /** By argument, counted from 0. */
  readonly constants: Readonly<Record<number, ConstantRule>>;
  /** One line for people. */
  readonly summary: string;
  /**
   * Arguments as SQL, and the value as text. An aggregate's run over the rows x = 1, 2, 3, 4; a window's are listed by
   * row, ordered by x, joined with a space. `value` is null for what depends on the clock.
   */
  readonly example: { readonly arguments: readonly string[]; readonly value: string | null };
  /** How a call looks, where not like any other: without parentheses, or with IN between its arguments. */
  readonly written: 'call' | 'bare' | 'in';
}

export interface ScalarFunction extends Common {
  readonly kind: 'scalar';
  /** DuckDB's name; or a template with `$1`, `$2`… for the arguments, `$*` for all; or a writer of its own. */
  readonly duckdb: string | { readonly own: OwnWriter };
  /** What an `instant` may be besides a date or timestamp. */
  readonly alsoTakes: readonly ('TIME' | 'INTERVAL')[];
  /** Its value depends on the time of the statement. Absent: on its arguments alone. */
  readonly readsClock?: true;
}

/** An aggregate, which can have OVER, or a window function, which must. */
export interface AggregateFunction extends Common {
  readonly kind: 'aggregate' | 'window';
  readonly duckdb: AggregateForm;
  /** COUNT(*). */
  readonly star: boolean;
  /** An ordered-set aggregate, of values in the order that WITHIN GROUP gives. */
  readonly withinGroup: 'none' | 'optional' | 'required';
  /** `ignored`: it goes by a row's place in its partition, so a frame changes nothing. */
  readonly frame: 'used' | 'ignored';
  /**
   * Where equal rows need an order among them: `rows`, always; `frame`, where the frame's order alone picks a row;
   * `list`, where the list is in the frame's order. Null: nowhere.
   */
  readonly ties: 'rows' | 'frame' | 'list' | null;
  /** Null: the value cannot be put together of parts of a frame. */
  readonly parts: PartsRule | null;
}

export type FunctionDefinition = ScalarFunction | AggregateFunction;

/** What each record says; the rest is as in most. */
type Written<D extends FunctionDefinition, Needed extends keyof D> = Pick<
  D,
  Needed & ('name' | 'takes' | 'result' | 'summary' | 'example' | 'duckdb')
> &
  Partial<Omit<D, 'kind' | 'family' | 'min' | 'max'>>;

type WrittenScalar = Written<ScalarFunction, 'name' | 'takes' | 'result' | 'summary' | 'example'>;
type WrittenAggregate = Written<
  AggregateFunction,
  'name' | 'takes' | 'result' | 'summary' | 'example' | 'duckdb'
>;

function common(entry: WrittenScalar | WrittenAggregate) {
  const { takes } = entry;
  const needed = takes.filter((spec) => !spec.endsWith('?') && !spec.endsWith('...'));
  const open = takes.some((spec) => spec.endsWith('...'));
  return {
    aliases: [],
    constants: {},
    written: 'call',
    min: needed.length,
    max: open ? null : takes.length,
  } as const;
}

/** Fills in what most records of a family have in common, and freezes. */
export function scalars(
  family: ScalarFunction['family'],
  entries: readonly WrittenScalar[],
): readonly ScalarFunction[] {
  return Object.freeze(
    entries.map((entry) =>
      Object.freeze({
        ...common(entry),
        duckdb: entry.name.toLowerCase(),
        alsoTakes: [],
        ...entry,
        kind: 'scalar',
        family,
      } as const),
    ),
  );
}

function ofRows(
  kind: AggregateFunction['kind'],
  entries: readonly WrittenAggregate[],
): readonly AggregateFunction[] {
  return Object.freeze(
    entries.map((entry) =>
      Object.freeze({
        ...common(entry),
        star: false,
        withinGroup: 'none',
        frame: 'used',
        ties: null,
        parts: null,
        ...entry,
        kind,
        family: kind,
      } as const),
    ),
  );
}

export const aggregates = (entries: readonly WrittenAggregate[]): readonly AggregateFunction[] =>
  ofRows('aggregate', entries);

export const windows = (entries: readonly WrittenAggregate[]): readonly AggregateFunction[] =>
  ofRows('window', entries);

/** What the argument (counted from 0) is converted to. */
export function argumentKind({ takes }: FunctionDefinition, index: number): ArgumentKind {
  const spec = takes[Math.min(index, takes.length - 1)] ?? 'any';
  return spec.replace(/\?$|\.\.\.$/, '') as ArgumentKind;
}
