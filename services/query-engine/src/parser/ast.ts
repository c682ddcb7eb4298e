/**
 * The engine's own syntax tree: what the parser promises to every later stage.
 *
 * Plain frozen data. Every node has a `kind` and the place (`pos`) in the text where it starts, so that an
 * error can point at it. One file, since its types name each other.
 */

/** A place in the SQL text: `offset` in UTF-16 code units from 0; `line` and `column` from 1. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A name as written. `quoted` names match exactly; unquoted ones exactly first, then case-insensitively. */
export interface Identifier {
  readonly name: string;
  readonly quoted: boolean;
  readonly pos: Position;
}

/** One step of a name path: `.name` or `[3]` (0 is the first element, as in DynamoDB document paths). */
export type PathStep =
  | { readonly kind: 'Name'; readonly identifier: Identifier }
  | { readonly kind: 'Index'; readonly index: number; readonly pos: Position };

// ---- expressions -------------------------------------------------------------------------------------

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  /** The whole part of a quotient. */
  | '//'
  | '%'
  | '||'
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  /** Whether text matches a regular expression; with `*` whatever the case, with `!` whether it does not. */
  | '~'
  | '!~'
  | '~*'
  | '!~*'
  /** Whether text begins with a text. */
  | '^@'
  /** PostgreSQL's operators of documents and lists: steps into them, what they contain, what names they have. */
  | '->'
  | '->>'
  | '#>'
  | '#>>'
  | '@>'
  | '<@'
  | '&&'
  | '?'
  | '?|'
  | '?&'
  | 'IS DISTINCT FROM'
  | 'IS NOT DISTINCT FROM';

export type AstExpression =
  /** `a`, `t.a`, `s.t.a`, `a.b[0].c`: the binder decides which leading steps qualify and which select within. */
  | { readonly kind: 'Name'; readonly path: readonly PathStep[]; readonly pos: Position }
  /** `expr[0]` / `(expr).name` on something that is not a name. */
  | {
      readonly kind: 'Access';
      readonly operand: AstExpression;
      readonly path: readonly PathStep[];
      readonly pos: Position;
    }
  /** `expr[index]` with an index that is computed. */
  | {
      readonly kind: 'Subscript';
      readonly operand: AstExpression;
      readonly index: AstExpression;
      readonly pos: Position;
    }
  /** `expr[from : to]`; a bound that is left out is null. */
  | {
      readonly kind: 'Slice';
      readonly operand: AstExpression;
      readonly from: AstExpression | null;
      readonly to: AstExpression | null;
      readonly pos: Position;
    }
  | { readonly kind: 'StringLiteral'; readonly value: string; readonly pos: Position }
  /** Digits exactly as written (`1`, `1.50`, `.5`, `1e9`): never through a double. */
  | { readonly kind: 'NumberLiteral'; readonly text: string; readonly pos: Position }
  /** `X'1F'`: two hexadecimal digits a byte. */
  | { readonly kind: 'BinaryLiteral'; readonly hex: string; readonly pos: Position }
  | { readonly kind: 'BooleanLiteral'; readonly value: boolean; readonly pos: Position }
  | { readonly kind: 'NullLiteral'; readonly pos: Position }
  /** `DATE '2024-01-01'`, `TIMESTAMP '…'`, `TIME '…'`. */
  | {
      readonly kind: 'TypedLiteral';
      readonly type: 'DATE' | 'TIME' | 'TIMESTAMP' | 'TIMESTAMPTZ';
      readonly value: string;
      readonly pos: Position;
    }
  /** `INTERVAL '3' DAY`, `INTERVAL '1 month'` (unit null when it stands in the text). */
  | {
      readonly kind: 'IntervalLiteral';
      readonly value: string;
      readonly unit: string | null;
      readonly pos: Position;
    }
  /** `:name` (name set), or `?` / `$n` (index from 0 set). */
  | {
      readonly kind: 'Parameter';
      readonly name: string | null;
      readonly index: number | null;
      readonly pos: Position;
    }
  | {
      readonly kind: 'Unary';
      readonly operator: '-' | '+' | '~';
      readonly operand: AstExpression;
      readonly pos: Position;
    }
  | {
      readonly kind: 'Binary';
      readonly operator: BinaryOperator;
      readonly left: AstExpression;
      readonly right: AstExpression;
      readonly pos: Position;
    }
  | { readonly kind: 'Not'; readonly operand: AstExpression; readonly pos: Position }
  /** Flattened: `a AND b AND c` is one node of three operands; parenthesized groups are kept apart. */
  | { readonly kind: 'And' | 'Or'; readonly operands: readonly AstExpression[]; readonly pos: Position }
  /** `IS [NOT] NULL | TRUE | FALSE | UNKNOWN`. */
  | {
      readonly kind: 'Is';
      readonly operand: AstExpression;
      readonly test: 'NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN';
      readonly negated: boolean;
      readonly pos: Position;
    }
  | {
      readonly kind: 'Between';
      readonly operand: AstExpression;
      readonly low: AstExpression;
      readonly high: AstExpression;
      readonly negated: boolean;
      readonly pos: Position;
    }
  | {
      readonly kind: 'InList';
      readonly operand: AstExpression;
      readonly values: readonly AstExpression[];
      readonly negated: boolean;
      readonly pos: Position;
    }
  | {
      readonly kind: 'InSubquery';
      readonly operand: AstExpression;
      readonly query: AstQuery;
      readonly negated: boolean;
      readonly pos: Position;
    }
  | {
      readonly kind: 'Like';
      readonly operand: AstExpression;
      readonly pattern: AstExpression;
      readonly escape: AstExpression | null;
      readonly caseInsensitive: boolean;
      readonly negated: boolean;
      readonly pos: Position;
    }
  | {
      readonly kind: 'SimilarTo';
      readonly operand: AstExpression;
      readonly pattern: AstExpression;
      readonly negated: boolean;
      readonly pos: Position;
    }
  /** NOT EXISTS is `Not` over this. */
  | { readonly kind: 'Exists'; readonly query: AstQuery; readonly pos: Position }
  | { readonly kind: 'ScalarSubquery'; readonly query: AstQuery; readonly pos: Position }
  /** `ARRAY (subquery)`: its values as a list, in its order. */
  | { readonly kind: 'ArraySubquery'; readonly query: AstQuery; readonly pos: Position }
  /** `operand op ANY|ALL (subquery)`; SOME is ANY. */
  | {
      readonly kind: 'QuantifiedComparison';
      readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>=';
      readonly quantifier: 'ANY' | 'ALL';
      readonly operand: AstExpression;
      readonly query: AstQuery;
      readonly pos: Position;
    }
  /** `operand op ANY|ALL (list)`, the list being any value; SOME is ANY. */
  | {
      readonly kind: 'QuantifiedList';
      readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>=';
      readonly quantifier: 'ANY' | 'ALL';
      readonly operand: AstExpression;
      readonly list: AstExpression;
      readonly pos: Position;
    }
  /** `operand` is null for a searched CASE. */
  | {
      readonly kind: 'Case';
      readonly operand: AstExpression | null;
      readonly branches: readonly { readonly when: AstExpression; readonly then: AstExpression }[];
      readonly otherwise: AstExpression | null;
      readonly pos: Position;
    }
  /** `type` is upper-case with single spaces, e.g. `DECIMAL(10,2)`, `DOUBLE PRECISION`. `x::t` is a Cast too. */
  | {
      readonly kind: 'Cast';
      readonly operand: AstExpression;
      readonly type: string;
      readonly tryCast: boolean;
      readonly pos: Position;
    }
  | {
      readonly kind: 'Extract';
      readonly field: string;
      readonly operand: AstExpression;
      readonly pos: Position;
    }
  /**
   * Any call. `name` is upper-case. Special syntax arrives as plain calls: `SUBSTRING(x FROM a FOR b)` is SUBSTRING(x,a,b),
   * `SUBSTRING(x FOR b)` is SUBSTRING(x,1,b), `POSITION(a IN b)` is POSITION(a,b), `TRIM(LEADING c FROM x)` is LTRIM(x,c),
   * `CURRENT_DATE` is CURRENT_DATE(). `COUNT(*)` has `star` and no arguments.
   */
  | {
      readonly kind: 'FunctionCall';
      readonly name: string;
      readonly arguments: readonly AstExpression[];
      readonly star: boolean;
      readonly distinct: boolean;
      readonly orderBy: readonly AstSortKey[];
      /** `WITHIN GROUP (ORDER BY …)`. */
      readonly withinGroup: readonly AstSortKey[];
      readonly filter: AstExpression | null;
      readonly over: AstWindow | null;
      readonly pos: Position;
    }
  /** `(a, b)` as a row value, e.g. in `(a, b) IN ((1, 2))`. */
  | { readonly kind: 'Row'; readonly values: readonly AstExpression[]; readonly pos: Position };

export interface AstSortKey {
  readonly expression: AstExpression;
  readonly descending: boolean;
  /** Null where not written (NULL sorts below every value: first ascending, last descending). */
  readonly nulls: 'FIRST' | 'LAST' | null;
}

export type FrameBound =
  | { readonly kind: 'UnboundedPreceding' | 'UnboundedFollowing' | 'CurrentRow' }
  | { readonly kind: 'Preceding' | 'Following'; readonly offset: AstExpression };

export interface AstWindowFrame {
  readonly unit: 'ROWS' | 'RANGE' | 'GROUPS';
  readonly start: FrameBound;
  readonly end: FrameBound;
  readonly exclude: 'CURRENT ROW' | 'GROUP' | 'TIES' | null;
}

/** A window with any named window (`OVER w`, `WINDOW w AS (…)`) already resolved into it. */
export interface AstWindow {
  readonly partitionBy: readonly AstExpression[];
  readonly orderBy: readonly AstSortKey[];
  readonly frame: AstWindowFrame | null;
  readonly pos: Position;
}

// ---- queries -------------------------------------------------------------------------------------------

/** A whole SELECT statement, or a subquery: WITH, body, ORDER BY, LIMIT. */
export interface AstQuery {
  readonly kind: 'Query';
  readonly with: readonly AstCte[];
  readonly recursive: boolean;
  readonly body: AstQueryBody;
  readonly orderBy: readonly AstSortKey[];
  /** `LIMIT n` and `FETCH FIRST n ROWS ONLY` alike; null where none. */
  readonly limit: AstExpression | null;
  readonly offset: AstExpression | null;
  readonly pos: Position;
}

export interface AstCte {
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
  readonly query: AstQuery;
  readonly pos: Position;
}

/** A parenthesized operand that has its own WITH, ORDER BY or LIMIT is a nested Query. */
export type AstQueryBody = AstSelect | AstSetOperation | AstValues | AstQuery;

export interface AstSetOperation {
  readonly kind: 'SetOperation';
  readonly operator: 'UNION' | 'INTERSECT' | 'EXCEPT';
  readonly all: boolean;
  readonly left: AstQueryBody;
  readonly right: AstQueryBody;
  readonly pos: Position;
}

export interface AstValues {
  readonly kind: 'Values';
  readonly rows: readonly (readonly AstExpression[])[];
  readonly pos: Position;
}

export interface AstSelect {
  readonly kind: 'Select';
  /** false, true, or the expressions of DISTINCT ON. */
  readonly distinct: boolean | readonly AstExpression[];
  readonly items: readonly AstSelectItem[];
  /** Null for a SELECT without FROM. Comma-separated FROM items arrive as CROSS joins. */
  readonly from: AstFromItem | null;
  readonly where: AstExpression | null;
  readonly groupBy: readonly AstGroupingElement[];
  readonly having: AstExpression | null;
  readonly qualify: AstExpression | null;
  readonly pos: Position;
}

/** What is done to the columns of a star: `EXCLUDE (a)`, then `REPLACE (x AS b)`, then `RENAME (c AS d)`. */
export interface AstStarChanges {
  readonly exclude: readonly Identifier[];
  readonly replace: readonly { readonly expression: AstExpression; readonly column: Identifier }[];
  readonly rename: readonly { readonly column: Identifier; readonly to: Identifier }[];
}

export type AstSelectItem =
  /** `*` (qualifier empty) or `t.*`, `s.t.*`. */
  | {
      readonly kind: 'Star';
      readonly qualifier: readonly Identifier[];
      readonly changes: AstStarChanges;
      /** Behind all columns of the SELECT comes one of what its tables' items have besides; absent: not. */
      readonly withOthers?: true;
      readonly pos: Position;
    }
  | {
      readonly kind: 'Expression';
      readonly expression: AstExpression;
      readonly alias: Identifier | null;
      /** The expression as written, for the column's name where there is no alias. */ readonly text: string;
      readonly pos: Position;
    };

export type AstGroupingElement =
  | { readonly kind: 'Expression'; readonly expression: AstExpression }
  /** `()` anywhere, and `(a, b)` inside of ROLLUP, CUBE and GROUPING SETS. */
  | { readonly kind: 'Set'; readonly expressions: readonly AstExpression[]; readonly pos: Position }
  | {
      readonly kind: 'Rollup' | 'Cube';
      readonly elements: readonly AstGroupingSet[];
      readonly pos: Position;
    }
  /** One after the other: `GROUPING SETS (a, ROLLUP (b))` has the sets of both. */
  | {
      readonly kind: 'GroupingSets';
      readonly elements: readonly AstGroupingElement[];
      readonly pos: Position;
    };

/** What ROLLUP and CUBE are made of. */
export type AstGroupingSet = Extract<AstGroupingElement, { readonly kind: 'Expression' | 'Set' }>;

export type TableFunctionName = 'GENERATE_SERIES' | 'UNNEST' | `${'JSON' | 'JSONB'}_${PartsOfDocument}`;

/** Functions that make rows of a document's parts, without the type of the document. */
export type PartsOfDocument = 'ARRAY_ELEMENTS' | 'ARRAY_ELEMENTS_TEXT' | 'OBJECT_KEYS' | 'EACH' | 'EACH_TEXT';

/** `TABLESAMPLE SYSTEM (10) REPEATABLE (1)`: numbers as they are written; `seed` null where none is. */
export interface AstSample {
  readonly method: 'SYSTEM' | 'BERNOULLI';
  readonly percent: string;
  readonly seed: string | null;
  readonly pos: Position;
}

export type AstFromItem =
  /** `schema` null where unqualified. `index` of `schema.table.index`; null: the table. */
  | {
      readonly kind: 'TableName';
      readonly schema: Identifier | null;
      readonly table: Identifier;
      readonly index: Identifier | null;
      readonly alias: Identifier | null;
      readonly columnAliases: readonly Identifier[];
      /** Absent: all rows. */
      readonly sample?: AstSample;
      readonly pos: Position;
    }
  /** A function of rows, which sees the items before it with or without LATERAL. `name` is upper-case. */
  | {
      readonly kind: 'TableFunction';
      readonly name: TableFunctionName;
      readonly arguments: readonly AstExpression[];
      /** WITH ORDINALITY. */
      readonly ordinality: boolean;
      readonly alias: Identifier | null;
      readonly columnAliases: readonly Identifier[];
      readonly pos: Position;
    }
  | {
      readonly kind: 'DerivedTable';
      readonly query: AstQuery;
      readonly lateral: boolean;
      readonly alias: Identifier | null;
      readonly columnAliases: readonly Identifier[];
      readonly pos: Position;
    }
  | {
      readonly kind: 'Join';
      readonly join: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS' | 'SEMI';
      readonly natural: boolean;
      readonly left: AstFromItem;
      readonly right: AstFromItem;
      readonly on: AstExpression | null;
      readonly using: readonly Identifier[];
      readonly pos: Position;
    };
