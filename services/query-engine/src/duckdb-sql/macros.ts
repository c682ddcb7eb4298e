/**
 * What the residual query calls beside DuckDB's own functions. `execution/` makes them once, in the instance; they
 * cannot be reached from a statement, whose functions are a list of their own.
 *
 * A mixed value is STRUCT(k, o, s, t): its kind (in the order in which kinds sort), its number as a DOUBLE (numbers
 * only), what it sorts by within its kind where that is not the text (numbers, binary), its exact text. NULL is a null
 * struct. So sorting, grouping and DISTINCT need no more than the struct.
 */
import { INSTANT_TEXT_MAX } from './limits.ts';
import { KEY_LENGTH_DIGITS, NumberKey } from './number-key.ts';
import { given } from './named.ts';

/** Kinds of mixed values, in the order in which they sort. */
export const MixedKind = Object.freeze({ NUMBER: 1, TEXT: 2, BOOLEAN: 3, BINARY: 4, JSON: 5, TEMPORAL: 6 });

const mixedOf = (kind: number, text: string): string =>
  `CASE WHEN x IS NULL THEN NULL ELSE ` +
  `struct_pack(k := ${kind}::UTINYINT, o := NULL::DOUBLE, s := NULL::VARCHAR, t := ${text}) END`;

/** Exponents beyond are those of no finite DOUBLE. */
const EXPONENT_MAX = 999;
const NUMBER_PATTERN = '^[+-]?([0-9]*)\\.?([0-9]*)(?:e([+-]?[0-9]+))?$';
const WITH_EXPONENT = '\\s*[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)[eE][+-]?[0-9]+\\s*';
/** What DuckDB allows around a number in a text. */
const SPACES = ' \t\n\v\f\r';

const numberKey = (parts: string): string => {
  const digits = `lpad(CAST(strlen(${parts}.i) AS VARCHAR), ${KEY_LENGTH_DIGITS}, '0') || ${parts}.i || ${parts}.f`;
  return (
    `CASE WHEN ${parts}.i = '' AND ${parts}.f = '' THEN '${NumberKey.ZERO}' ` +
    `WHEN ${parts}.n THEN '${NumberKey.NEGATIVE}' || translate(${digits}, '0123456789', '9876543210') || '${NumberKey.END}' ` +
    `ELSE '${NumberKey.POSITIVE}' || ${digits} END`
  );
};

const plainNumber = (parts: string): string =>
  `CASE WHEN ${parts}.i = '' AND ${parts}.f = '' THEN '0' ELSE CASE WHEN ${parts}.n THEN '-' ELSE '' END || ` +
  `CASE WHEN ${parts}.i = '' THEN '0' ELSE ${parts}.i END || ` +
  `CASE WHEN ${parts}.f = '' THEN '' ELSE '.' || ${parts}.f END END`;

const MORE_THAN_JSON = '(?i)nan|inf|,\\s*[\\]}]';
const isJson = (text: string): string =>
  `CASE WHEN NOT json_valid(${text}) THEN FALSE WHEN regexp_matches(${text}, '${MORE_THAN_JSON}') THEN NOT ` +
  `regexp_matches(regexp_replace(${text}, '"(?:[^"\\\\]|\\\\.)*"', '""', 'g'), '${MORE_THAN_JSON}') ` +
  `WHEN ${text} IS NULL THEN NULL ELSE TRUE END`;
/** Characters of a value that an error shows. */
const SHOWN_TEXT_MAX = 40;

const order = (a: string, b: string): string =>
  `CASE WHEN ${a} < ${b} THEN -1 WHEN ${a} > ${b} THEN 1 ELSE 0 END`;
const orUnlike = (a: string, b: string): string =>
  `CASE WHEN ${a} IS NULL OR ${b} IS NULL THEN 2 ELSE ${order(a, b)} END`;

const elementsOrOne = (x: string): string =>
  `CASE json_type(${x}) WHEN 'ARRAY' THEN from_json(${x}, '["JSON"]') ELSE [CAST(${x} AS JSON)] END`;

const step = (x: string): string => `'/' || replace(replace(${x}, '~', '~0'), '/', '~1')`;
/** A place in a list of `v.n` elements, counted from its start. */
const fromEnd = (place: string): string => `(CASE WHEN ${place} < 0 THEN v.n + ${place} ELSE ${place} END)`;

/** Where a value is in a list, counted from 0 and from the place `v.f` on. */
const placeFrom = (list: string, value: string): string =>
  `CASE WHEN ${list} IS NOT NULL AND v.f IS NULL THEN error('ARRAY_POSITION: the place to begin at is NULL') ` +
  `ELSE list_position(${list}[greatest(v.f, 0) + 1:], ${value}) - 1 + greatest(v.f, 0) END`;

/** An escaped byte of PostgreSQL's escape format, as a regular expression. */
const ESCAPED = '\\\\\\\\|\\\\[0-3][0-7][0-7]';
/** What makes DuckDB's form of those of ISO 8601 that no cast of its own reads, one after the other. */
const ISO_FORMS: readonly (readonly [pattern: string, by: string])[] = [
  // Without seconds.
  ['([T ]\\d\\d:?\\d\\d)(Z|[+-]|$)', '\\1:00\\2'],
  // Without dashes or colons.
  [
    '^(\\d{4})-?(\\d\\d)-?(\\d\\d)[T ](\\d\\d):?(\\d\\d):?(\\d\\d(?:\\.\\d+)?)(Z|[+-][\\d:]+)?$',
    '\\1-\\2-\\3 \\4:\\5:\\6\\7',
  ],
  ['^(\\d{4})(\\d\\d)(\\d\\d)$', '\\1-\\2-\\3'],
];
const isoForm = ISO_FORMS.reduce(
  (made, [pattern, by]) => `regexp_replace(${made}, '${pattern}', '${by}')`,
  'upper(x)',
);
/** The second before the clock leaps, and the one with which the next minute begins. */
const LEAP_SECOND = '([T ]\\d\\d:\\d\\d):60(?:\\.0*)?';

/** As long as a number is that a DOUBLE may not hold. */
const LONG_NUMBER = '[0-9.]{16}';
const TEXT_OR_FRACTION = '("(?:[^"\\\\]|\\\\.)*")|(-?[0-9]+\\.[0-9]+(?:[eE][+-]?[0-9]+)?)';
/** What a text in JSON begins with that is a number whose digits are kept. */
const KEPT = '\\u0001\\u0002';
const withFractions = (json: string): string =>
  `regexp_replace(${json}, '"${KEPT.replaceAll('\\', '\\\\')}([^"]*)"', '\\1', 'g')`;

/** Half the digits of a HUGEINT, which the square of a mean is parted by. */
const HALF_DIGITS = 19;
const half = `1${'0'.repeat(HALF_DIGITS)}::HUGEINT`;

export const MACROS: readonly string[] = Object.freeze([
  // The mean times a power of ten, of a sum and a count: the whole part and the rest apart, since both times the power are too long.
  `CREATE MACRO ps_mean(x, n, p) AS ` +
    given(
      'v',
      `CAST(row(x, n) AS STRUCT(x HUGEINT, n HUGEINT))`,
      `CASE WHEN v.n > 0 THEN (v.x // v.n) * p + ((v.x % v.n) * p) // v.n END`,
    ),
  // Of whole numbers, by the sum of their squares, their sum and their count: the sum of the squares of their distances
  // from their mean. As distances from m, the whole number next to it, n * m + r being the sum: (squares - n * m * m - 2 * m * r)
  // - r * r / n. Only the last step is not exact.
  `CREATE MACRO ps_squared_distances(q, x, n) AS ` +
    given(
      'v',
      `CAST(row(q, x, n) AS STRUCT(q BIGNUM, x HUGEINT, n HUGEINT))`,
      given(
        'u',
        `v.x // v.n + CASE WHEN 2 * (v.x % v.n) >= v.n THEN 1 WHEN 2 * (v.x % v.n) <= -v.n THEN -1 ELSE 0 END`,
        given(
          'w',
          `CAST(row(u, v.x - u * v.n, u * u) AS STRUCT(m HUGEINT, r HUGEINT, s HUGEINT))`,
          `CAST(v.q - CAST(CAST(v.n * (w.s // ${half}) AS VARCHAR) || '${'0'.repeat(HALF_DIGITS)}' AS BIGNUM) ` +
            `- CAST(v.n * (w.s % ${half}) AS BIGNUM) - CAST(2 * w.m * w.r AS BIGNUM) AS DOUBLE) ` +
            `- CAST(w.r * w.r AS DOUBLE) / v.n`,
        ),
      ),
    ),
  // Canonical number text: 1.50 -> 1.5, 1.0 -> 1; exponents stay.
  `CREATE MACRO ps_trim(x) AS CASE WHEN contains(x, '.') AND NOT contains(x, 'e') ` +
    `THEN rtrim(rtrim(x, '0'), '.') ELSE x END`,
  // Of a text that is a number: whether it is negative, its digits before and after the point, without idle zeros.
  `CREATE MACRO ps_number_parts(x) AS ` +
    given(
      'u',
      `lower(replace(trim(x, '${SPACES}'), '_', ''))`,
      given(
        'p',
        `regexp_extract(u, '${NUMBER_PATTERN}', ['i', 'f', 'e'])`,
        given(
          'r',
          `{d: p.i || p.f, l: strlen(p.i) + CASE WHEN p.e = '' THEN 0 ELSE ` +
            `greatest(least(coalesce(TRY_CAST(p.e AS INTEGER), 0), ${EXPONENT_MAX}), -${EXPONENT_MAX}) END}`,
          `{n: starts_with(u, '-'), ` +
            `i: ltrim(CASE WHEN r.l <= 0 THEN '' ELSE rpad(r.d[:r.l], CAST(r.l AS INTEGER), '0') END, '0'), ` +
            `f: rtrim(CASE WHEN r.l <= 0 THEN repeat('0', -r.l) || r.d ELSE r.d[r.l + 1:] END, '0')}`,
        ),
      ),
    ),
  // A number with an exponent as its digits: of one far below zero DuckDB's decimals keep a digit that is not there.
  `CREATE MACRO ps_plain_number(x) AS ` +
    given(
      'w',
      'x',
      `CASE WHEN regexp_full_match(w, '${WITH_EXPONENT}') THEN ${given('p', 'ps_number_parts(w)', plainNumber('p'))} ELSE w END`,
    ),
  `CREATE MACRO ps_number_key(x) AS ${given('p', 'ps_number_parts(x)', numberKey('p'))}`,
  // A mixed value of a text that is a number, or that spells a DOUBLE which is none.
  `CREATE MACRO ps_mixed_of_digits(x) AS ` +
    given(
      'v',
      // DuckDB loses the names of a struct literal that has a lambda in it where a subquery refers to the outer query.
      `CAST(row(x, ps_number_parts(x), TRY_CAST(x AS DOUBLE)) AS ` +
        `STRUCT(x VARCHAR, p STRUCT(n BOOLEAN, i VARCHAR, f VARCHAR), d DOUBLE))`,
      `CASE WHEN v.x IS NULL THEN NULL ELSE struct_pack(k := ${MixedKind.NUMBER}::UTINYINT, o := v.d, ` +
        `s := CASE WHEN isfinite(v.d) THEN ${numberKey('v.p')} END, ` +
        `t := CASE WHEN isfinite(v.d) THEN ${plainNumber('v.p')} ELSE v.x END) END`,
    ),
  `CREATE MACRO ps_mixed_of_number(x) AS ps_mixed_of_digits(CAST(x AS VARCHAR))`,
  `CREATE MACRO ps_mixed_of_text(x) AS ${mixedOf(MixedKind.TEXT, 'x')}`,
  `CREATE MACRO ps_mixed_of_boolean(x) AS ${mixedOf(MixedKind.BOOLEAN, 'CAST(x AS VARCHAR)')}`,
  `CREATE MACRO ps_mixed_of_binary(x) AS CASE WHEN x IS NULL THEN NULL ELSE struct_pack(` +
    `k := ${MixedKind.BINARY}::UTINYINT, o := NULL::DOUBLE, s := hex(x), t := to_base64(x)) END`,
  `CREATE MACRO ps_mixed_of_json(x) AS ${mixedOf(MixedKind.JSON, 'x')}`,
  `CREATE MACRO ps_mixed_of_temporal(x) AS ${mixedOf(MixedKind.TEMPORAL, 'CAST(x AS VARCHAR)')}`,
  // Text as a number; words such as `nan` and `inf` are none.
  `CREATE MACRO ps_text_double(x) AS CASE WHEN isfinite(TRY_CAST(x AS DOUBLE)) THEN TRY_CAST(x AS DOUBLE) END`,
  // Numbers, texts that are numbers, and truth values as 1 and 0.
  `CREATE MACRO ps_digits(k, t) AS CASE k WHEN ${MixedKind.NUMBER} THEN t WHEN ${MixedKind.TEXT} THEN t ` +
    `WHEN ${MixedKind.BOOLEAN} THEN CASE t WHEN 'true' THEN '1' ELSE '0' END END`,
  `CREATE MACRO ps_mixed_digits(x) AS ps_digits(x.k, x.t)`,
  `CREATE MACRO ps_mixed_double(x) AS CASE x.k WHEN ${MixedKind.NUMBER} THEN x.o ` +
    `WHEN ${MixedKind.TEXT} THEN ps_text_double(x.t) ` +
    `WHEN ${MixedKind.BOOLEAN} THEN CASE x.t WHEN 'true' THEN 1::DOUBLE ELSE 0::DOUBLE END END`,
  `CREATE MACRO ps_truth(k, t) AS CASE k WHEN ${MixedKind.TEXT} THEN TRY_CAST(t AS BOOLEAN) ` +
    `WHEN ${MixedKind.BOOLEAN} THEN t = 'true' END`,
  `CREATE MACRO ps_mixed_boolean(x) AS CASE x.k WHEN ${MixedKind.NUMBER} THEN x.o <> 0 ELSE ps_truth(x.k, x.t) END`,
  // A text as an instant; NULL where it is none.
  `CREATE MACRO ps_try_instant(x) AS coalesce(TRY_CAST(x AS TIMESTAMPTZ), TRY_CAST(${isoForm} AS TIMESTAMPTZ), ` +
    `TRY_CAST(regexp_replace(x, '${LEAP_SECOND}', '\\1:59') AS TIMESTAMPTZ) + INTERVAL 1 SECOND)`,
  `CREATE MACRO ps_instant(k, t) AS CASE WHEN k IN (${MixedKind.TEXT}, ${MixedKind.TEMPORAL}) AND strlen(t) <= ${INSTANT_TEXT_MAX} THEN ` +
    `CAST(ps_try_instant(t) AS TIMESTAMP) END`,
  // Three-way comparison of values as numbers: their doubles and, where these are equal, all their digits. 2: one of
  // the values is no number, so neither equals, precedes or follows the other.
  `CREATE MACRO ps_sign(x, y, xd, yd, xt, yt) AS CASE WHEN x IS NULL OR y IS NULL THEN NULL ` +
    `WHEN xd IS NULL OR yd IS NULL THEN 2 WHEN xd < yd THEN -1 WHEN xd > yd THEN 1 WHEN xt = yt THEN 0 ` +
    `ELSE ${given('q', 'list_transform([xt, yt], lambda n: ps_number_key(n))', order('q[1]', 'q[2]'))} END`,
  // The same of any two values, by what they are: kind, number, text.
  `CREATE MACRO ps_sign_of(xk, xd, xt, yk, yd, yt) AS CASE WHEN xk IS NULL OR yk IS NULL THEN NULL ` +
    `WHEN xk = ${MixedKind.NUMBER} OR yk = ${MixedKind.NUMBER} ` +
    `THEN ps_sign(xk, yk, xd, yd, ps_digits(xk, xt), ps_digits(yk, yt)) ` +
    `WHEN xk = ${MixedKind.BOOLEAN} OR yk = ${MixedKind.BOOLEAN} THEN ${orUnlike('ps_truth(xk, xt)', 'ps_truth(yk, yt)')} ` +
    `WHEN xk = ${MixedKind.TEMPORAL} OR yk = ${MixedKind.TEMPORAL} THEN ` +
    `CASE WHEN xk = yk AND xt = yt THEN 0 ELSE ${given('q', '[ps_instant(xk, xt), ps_instant(yk, yt)]', orUnlike('q[1]', 'q[2]'))} END ` +
    `WHEN xk = ${MixedKind.BINARY} AND yk = ${MixedKind.BINARY} THEN ${order('from_base64(xt)', 'from_base64(yt)')} ` +
    `WHEN xk = ${MixedKind.TEXT} OR yk = ${MixedKind.TEXT} OR xk = yk THEN ${order('xt', 'yt')} ELSE 2 END`,
  // What values that compare as equal have in common, for hashing: the number that they are or spell; else their text.
  `CREATE MACRO ps_hash_number(d, t) AS coalesce(d, ps_text_double(t), CAST(TRY_CAST(t AS BOOLEAN) AS DOUBLE))`,
  `CREATE MACRO ps_hash_text(d, t) AS CASE WHEN ps_hash_number(d, t) IS NULL THEN t ELSE '' END`,
  // A document whose fractions DuckDB's reader of JSON would round: each as a text that begins as none does.
  `CREATE MACRO ps_kept_digits(x) AS CASE WHEN regexp_matches(x, '${LONG_NUMBER}') THEN ` +
    `regexp_replace(replace(regexp_replace(x, '${TEXT_OR_FRACTION}', '\\1\x01\\2\x01', 'g'), '\x01\x01', ''), ` +
    `'\\x01([^\\x01]+)\\x01', '"${KEPT.replaceAll('\\', '\\\\')}\\1"', 'g') ELSE x END`,
  // A JSON value as what it is: a number, a text, a boolean, or a document.
  `CREATE MACRO ps_mixed_of_step(x) AS ` +
    given(
      'j',
      'x',
      `CASE WHEN json_type(j) IN ('OBJECT', 'ARRAY') THEN ps_mixed_of_json(${withFractions("j->>'$'")}) ` +
        `WHEN json_type(j) = 'NULL' THEN NULL WHEN json_type(j) = 'BOOLEAN' THEN ps_mixed_of_boolean(j->>'$') ` +
        `WHEN json_type(j) = 'VARCHAR' AND NOT starts_with(j->>'$', '\x01\x02') THEN ps_mixed_of_text(j->>'$') ` +
        `ELSE ps_mixed_of_digits(replace(j->>'$', '\x01\x02', '')) END`,
    ),
  // How many elements a JSON array has, or how many names a map.
  `CREATE MACRO ps_parts_count(x) AS ` +
    given('d', 'x', `CASE json_type(d) WHEN 'OBJECT' THEN len(json_keys(d)) ELSE json_array_length(d) END`),
  // Whether a JSON array has an element; NULL of what is no array.
  `CREATE MACRO ps_has_element(x, y) AS list_contains(from_json(x, '["JSON"]'), CAST(y AS JSON))`,
  // The elements of a JSON array, for what makes rows of them.
  `CREATE MACRO ps_elements(x) AS from_json(ps_kept_digits(x), '["JSON"]')`,
  // A list as what it sorts by, element by element: kinds as those of mixed values, numbers by value, NULL last.
  `CREATE MACRO ps_list_key(x) AS list_transform(${elementsOrOne('x')}, ` +
    `lambda e: CASE json_type(e) WHEN 'NULL' THEN '9' ` +
    `WHEN 'VARCHAR' THEN '${MixedKind.TEXT}' || (e->>'$') WHEN 'BOOLEAN' THEN '${MixedKind.BOOLEAN}' || CAST(e AS VARCHAR) ` +
    `WHEN 'OBJECT' THEN '${MixedKind.JSON}' || CAST(e AS VARCHAR) WHEN 'ARRAY' THEN '${MixedKind.JSON}' || CAST(e AS VARCHAR) ` +
    `ELSE '${MixedKind.NUMBER}' || ps_number_key(CAST(e AS VARCHAR)) END)`,
  // Two lists as one, or a list and one more element; NULL is no list.
  `CREATE MACRO ps_list_joined(x, y) AS ` +
    given(
      'v',
      `CAST(row(x, y) AS STRUCT(x VARCHAR, y VARCHAR))`,
      `CASE WHEN v.x IS NULL THEN v.y WHEN v.y IS NULL THEN v.x ` +
        `WHEN json_type(v.x) = 'OBJECT' AND json_type(v.y) = 'OBJECT' THEN error('|| joins lists, and these are maps') ` +
        `ELSE CAST(to_json(list_concat(${elementsOrOne('v.x')}, ${elementsOrOne('v.y')})) AS VARCHAR) END`,
    ),
  // A computed step into a document as a JSON pointer, which takes any name and place; one below 0 counts from the end.
  `CREATE MACRO ps_step(x) AS CASE WHEN regexp_full_match(x, '-[1-9][0-9]{0,8}') THEN '$[#' || x || ']' ` +
    `ELSE ${step('x')} END`,
  // The same where a number is a place in a list alone, and a text a name in a map alone.
  `CREATE MACRO ps_step_of(isPlace, x) AS CASE WHEN NOT isPlace THEN ${step('x')} ` +
    `WHEN regexp_full_match(x, '[0-9]{1,9}') THEN '$[' || x || ']' ` +
    `WHEN regexp_full_match(x, '-[1-9][0-9]{0,8}') THEN '$[#' || x || ']' END`,
  // The elements of a list from one place to another, both included; below 0 they count from the end.
  `CREATE MACRO ps_elements_between(x, f, t) AS ` +
    given(
      'v',
      `CAST(row(x, f, t, json_array_length(x)) AS STRUCT(x VARCHAR, f BIGINT, t BIGINT, n BIGINT))`,
      `CASE WHEN json_type(v.x) = 'ARRAY' AND v.f IS NOT NULL AND v.t IS NOT NULL THEN ` +
        `CASE WHEN ${fromEnd('v.t')} < ${fromEnd('v.f')} OR ${fromEnd('v.t')} < 0 THEN '[]' ELSE ` +
        `CAST(to_json(from_json(v.x, '["JSON"]')[greatest(${fromEnd('v.f')}, 0) + 1:${fromEnd('v.t')} + 1]) AS VARCHAR) END END`,
    ),
  // The place of a value among the keys of a list, from a place on; of NULL, that of the first that is NULL.
  `CREATE MACRO ps_position(x, y, f) AS ` +
    given(
      'v',
      `CAST(row(ps_list_key(x), ps_list_key('[' || coalesce(y, 'null') || ']')[1], f) AS STRUCT(l VARCHAR[], k VARCHAR, f BIGINT))`,
      placeFrom('v.l', 'v.k'),
    ),
  `CREATE MACRO ps_text_position(x, y, f) AS ` +
    given(
      'v',
      `CAST(row(list_transform(from_json(x, '["JSON"]'), lambda e: e->>'$'), y, f) AS STRUCT(l VARCHAR[], k VARCHAR, f BIGINT))`,
      placeFrom('v.l', 'v.k'),
    ),
  // Names of a map, texts of a list, or a text itself: what PostgreSQL's ? looks in.
  `CREATE MACRO ps_names(x) AS CASE json_type(x) WHEN 'OBJECT' THEN json_keys(x) ` +
    `WHEN 'ARRAY' THEN list_transform(list_filter(from_json(x, '["JSON"]'), lambda e: json_type(e) = 'VARCHAR'), lambda e: e->>'$') ` +
    `WHEN 'VARCHAR' THEN [x->>'$'] ELSE CASE WHEN x IS NULL THEN NULL ELSE []::VARCHAR[] END END`,
  // Values of a list to be compared one by one; of lists and maps in it, only a constant says what of them counts.
  `CREATE MACRO ps_plain_keys(x) AS ` +
    given(
      'k',
      'ps_list_key(x)',
      `CASE WHEN len(list_filter(k, lambda e: e[1] = '${MixedKind.JSON}')) > 0 ` +
        `THEN error('@>, <@ and && look for plain values, or for a constant such as ''{"a": 1}''') ELSE k END`,
    ),
  `CREATE MACRO ps_contains(x, y) AS ` +
    given(
      'v',
      `CAST(row(x, y) AS STRUCT(x VARCHAR, y VARCHAR))`,
      `CASE WHEN v.x IS NULL OR v.y IS NULL THEN NULL ` +
        `WHEN (json_type(v.y) = 'ARRAY' AND json_type(v.x) <> 'ARRAY') OR (json_type(v.x) = 'OBJECT' AND json_type(v.y) <> 'OBJECT') THEN FALSE ` +
        `ELSE list_has_all(ps_list_key(v.x), ps_plain_keys(v.y)) END`,
    ),
  `CREATE MACRO ps_overlap(x, y) AS ` +
    given(
      'v',
      `CAST(row(x, y) AS STRUCT(x VARCHAR, y VARCHAR))`,
      `CASE WHEN v.x IS NULL OR v.y IS NULL THEN NULL ELSE list_has_any(ps_plain_keys(v.x), ps_plain_keys(v.y)) END`,
    ),
  // What PostgreSQL calls a JSON value.
  `CREATE MACRO ps_json_typeof(x) AS CASE json_type(x) WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' ` +
    `WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean' WHEN 'NULL' THEN 'null' ` +
    `ELSE CASE WHEN x IS NOT NULL THEN 'number' END END`,
  // PostgreSQL's escape format of bytes: those that are no ASCII, and zero, as octal digits.
  `CREATE MACRO ps_escaped_bytes(x) AS array_to_string(list_transform(regexp_extract_all(hex(x), '..'), ` +
    `lambda h: CASE WHEN h = '5C' THEN '\\\\' WHEN h = '00' OR h >= '80' THEN '\\' || format('{:03o}', CAST('0x' || h AS INTEGER)) ` +
    `ELSE decode(unhex(h)) END), '')`,
  `CREATE MACRO ps_bytes_of_escaped(x) AS ` +
    given(
      'v',
      'x',
      `CASE WHEN NOT regexp_full_match(v, '(?s)(?:${ESCAPED}|[^\\\\])*') ` +
        `THEN error('DECODE of a backslash that is not followed by three octal digits or another backslash') ` +
        `ELSE unhex(array_to_string(list_transform(regexp_extract_all(v, '(?s)${ESCAPED}|[^\\\\]+'), ` +
        `lambda p: CASE WHEN p = '\\\\' THEN '5C' WHEN p[1] = '\\' THEN format('{:02X}', ` +
        `CAST(p[2] AS INTEGER) * 64 + CAST(p[3] AS INTEGER) * 8 + CAST(p[4] AS INTEGER)) ELSE hex(p) END), '')) END`,
    ),
  // DuckDB's reader of JSON also takes NaN, infinities, and a comma before a bracket: outside of strings, these are none.
  `CREATE MACRO ps_is_json(x) AS ${given('u', 'x', isJson('u'))}`,
  `CREATE MACRO ps_try_json(x) AS ${given('u', 'x', `CASE WHEN ${isJson('u')} THEN CAST(CAST(u AS JSON) AS VARCHAR) END`)}`,
  // Of what is no column, DuckDB's error names none.
  `CREATE MACRO ps_json(x) AS ` +
    given(
      'u',
      'x',
      `CASE WHEN json_valid(u) AND NOT (${isJson('u')}) THEN error('Malformed JSON: ' || ` +
        `CASE WHEN length(u) > ${SHOWN_TEXT_MAX} THEN u[:${SHOWN_TEXT_MAX}] || '…' ELSE u END || ` +
        `' holds NaN, an infinity, or a comma before a bracket') ELSE CAST(CAST(u || '' AS JSON) AS VARCHAR) END`,
    ),
  // JSON text of values, for aggregates into lists.
  `CREATE MACRO ps_json_of_text(x) AS CAST(to_json(x) AS VARCHAR)`,
  `CREATE MACRO ps_json_of_mixed(x) AS CASE WHEN x.k IN (${MixedKind.NUMBER}, ${MixedKind.BOOLEAN}, ${MixedKind.JSON}) ` +
    `THEN x.t ELSE CAST(to_json(x.t) AS VARCHAR) END`,
]);
