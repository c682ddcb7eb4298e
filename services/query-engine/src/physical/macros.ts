/**
 * What the residual query calls beside DuckDB's own functions. `execution/` makes them once, in the instance; they
 * cannot be reached from a statement, whose functions are a list of their own.
 *
 * A mixed value is STRUCT(k, o, t): its kind (in the order in which kinds sort), its number as a DOUBLE (numbers only),
 * its exact text. NULL is a null struct.
 */

/** Kinds of mixed values, in the order in which they sort. */
export const MixedKind = Object.freeze({ NUMBER: 1, TEXT: 2, BOOLEAN: 3, BINARY: 4, JSON: 5, TEMPORAL: 6 });

const mixedOf = (kind: number, number: string, text: string): string =>
  `CASE WHEN x IS NULL THEN NULL ELSE ` +
  `struct_pack(k := ${kind}::UTINYINT, o := ${number}, t := ${text}) END`;

const NO_NUMBER = 'NULL::DOUBLE';

/** How far two numbers of equal DOUBLE are told apart: 20 digits before the point, 18 after. */
export const TIE_BREAK = 'DECIMAL(38,18)';

export const MACROS: readonly string[] = Object.freeze([
  // Canonical number text: 1.50 -> 1.5, 1.0 -> 1; exponents stay.
  `CREATE MACRO ps_trim(x) AS CASE WHEN contains(x, '.') AND NOT contains(x, 'e') ` +
    `THEN rtrim(rtrim(x, '0'), '.') ELSE x END`,
  `CREATE MACRO ps_mixed_of_number(x) AS ${mixedOf(MixedKind.NUMBER, 'CAST(x AS DOUBLE)', 'ps_trim(CAST(x AS VARCHAR))')}`,
  `CREATE MACRO ps_mixed_of_text(x) AS ${mixedOf(MixedKind.TEXT, NO_NUMBER, 'x')}`,
  `CREATE MACRO ps_mixed_of_boolean(x) AS ${mixedOf(MixedKind.BOOLEAN, NO_NUMBER, 'CAST(x AS VARCHAR)')}`,
  `CREATE MACRO ps_mixed_of_binary(x) AS ${mixedOf(MixedKind.BINARY, NO_NUMBER, 'to_base64(x)')}`,
  `CREATE MACRO ps_mixed_of_json(x) AS ${mixedOf(MixedKind.JSON, NO_NUMBER, 'x')}`,
  `CREATE MACRO ps_mixed_of_temporal(x) AS ${mixedOf(MixedKind.TEMPORAL, NO_NUMBER, 'CAST(x AS VARCHAR)')}`,
  // Text as a number; words such as `nan` and `inf` are none.
  `CREATE MACRO ps_text_double(x) AS CASE WHEN isfinite(TRY_CAST(x AS DOUBLE)) THEN TRY_CAST(x AS DOUBLE) END`,
  // Numbers, and texts that are numbers.
  `CREATE MACRO ps_mixed_digits(x) AS CASE WHEN x.k <= ${MixedKind.TEXT} THEN x.t END`,
  `CREATE MACRO ps_mixed_double(x) AS CASE x.k WHEN ${MixedKind.NUMBER} THEN x.o ` +
    `WHEN ${MixedKind.TEXT} THEN ps_text_double(x.t) END`,
  `CREATE MACRO ps_mixed_boolean(x) AS CASE WHEN x.k = ${MixedKind.BOOLEAN} THEN x.t = 'true' END`,
  // Three-way comparison of values as numbers: their doubles and, where these are equal, their digits. 2: one of the
  // values is no number, so neither equals, precedes or follows the other.
  `CREATE MACRO ps_sign(x, y, xd, yd, xt, yt) AS CASE WHEN x IS NULL OR y IS NULL THEN NULL ` +
    `WHEN xd IS NULL OR yd IS NULL THEN 2 WHEN xd < yd THEN -1 WHEN xd > yd THEN 1 ` +
    `ELSE coalesce(CASE WHEN TRY_CAST(xt AS ${TIE_BREAK}) < TRY_CAST(yt AS ${TIE_BREAK}) THEN -1 ` +
    `WHEN TRY_CAST(xt AS ${TIE_BREAK}) > TRY_CAST(yt AS ${TIE_BREAK}) THEN 1 ELSE 0 END, 0) END`,
  // A JSON value as what it is: a number, a text, a boolean, or a document.
  `CREATE MACRO ps_mixed_of_step(x) AS CASE json_type(x) ` +
    `WHEN 'VARCHAR' THEN ps_mixed_of_text(x->>'$') ` +
    `WHEN 'BOOLEAN' THEN struct_pack(k := ${MixedKind.BOOLEAN}::UTINYINT, o := ${NO_NUMBER}, t := CAST(x AS VARCHAR)) ` +
    `WHEN 'OBJECT' THEN ps_mixed_of_json(CAST(x AS VARCHAR)) WHEN 'ARRAY' THEN ps_mixed_of_json(CAST(x AS VARCHAR)) ` +
    `WHEN 'NULL' THEN NULL ` +
    `ELSE struct_pack(k := ${MixedKind.NUMBER}::UTINYINT, o := CAST(x AS DOUBLE), t := ps_trim(CAST(x AS VARCHAR))) END`,
  // JSON text of values, for aggregates into lists.
  `CREATE MACRO ps_json_of_text(x) AS CAST(to_json(x) AS VARCHAR)`,
  `CREATE MACRO ps_json_of_mixed(x) AS CASE WHEN x.k IN (${MixedKind.NUMBER}, ${MixedKind.BOOLEAN}, ${MixedKind.JSON}) ` +
    `THEN x.t ELSE CAST(to_json(x.t) AS VARCHAR) END`,
]);
