/** Statements whose functions are given texts as long as a statement can make them. */

/** Of `x` and `y`, texts of equal length; `u` has characters of two bytes, `j` is a document. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  'joined four times': 'LENGTH(x||x||x||x)',
  CONCAT: 'LENGTH(CONCAT(x, x, x, x))',
  CONCAT_WS: "LENGTH(CONCAT_WS(',', x, x, x, x))",
  UPPER: 'LENGTH(UPPER(u))',
  REVERSE: 'LENGTH(REVERSE(u))',
  STRIP_ACCENTS: 'LENGTH(STRIP_ACCENTS(u))',
  'UPPER of REVERSE of LOWER': 'LENGTH(UPPER(REVERSE(LOWER(u))))',
  LPAD: 'LENGTH(LPAD(order_id, LENGTH(x), u))',
  TRIM: 'LENGTH(TRIM(x, y))',
  TRANSLATE: "LENGTH(TRANSLATE(x, y || 'o-0123456789', u || 'éééééééééééé'))",
  REPLACE: "LENGTH(REPLACE(x, '0', 'éé'))",
  'REPLACE of a long text': "LENGTH(REPLACE(x, RIGHT(x, 8000) || 'b', 'c'))",
  REGEXP_REPLACE: "LENGTH(REGEXP_REPLACE(x, '0', 'éé', 'g'))",
  'REGEXP_MATCHES of many states': "REGEXP_MATCHES(x, '([o0-9-]{1,100}){1,9}b')",
  REGEXP_EXTRACT: "LENGTH(REGEXP_EXTRACT(x, '(([o0-9-]*)*)b', 1))",
  SPLIT_PART: "LENGTH(SPLIT_PART(x, 'o', 500))",
  'SPLIT_PART by a long text': "LENGTH(SPLIT_PART(x, RIGHT(x, 8000) || 'b', 2))",
  'SPLIT at each character': "LENGTH(CAST(SPLIT(x, 'o') AS VARCHAR))",
  'SPLIT into characters': "LENGTH(CAST(SPLIT(u, '') AS VARCHAR))",
  'SPLIT by a long text': "LENGTH(CAST(SPLIT(x, RIGHT(x, 8000) || 'b') AS VARCHAR))",
  'STRING_TO_ARRAY of control characters':
    "LENGTH(CAST(STRING_TO_ARRAY(REPLACE(x, '0', CHR(1)), '-') AS VARCHAR))",
  'a search for a long text': "STRPOS(x, RIGHT(x, 8000) || 'b')",
  LEVENSHTEIN: 'LEVENSHTEIN(x, y)',
  'LIKE of many %': "x LIKE '%0_%o_%-_%b_'",
  'LIKE of a pattern that is computed': "x LIKE '%0%o%-%' || order_id || 'b'",
  'ILIKE of a long pattern': "x ILIKE '%' || RIGHT(x, 8000) || '_b'",
  'LIKE with an escape': "x LIKE '%0%o%-%!_b' ESCAPE '!'",
  MD5: 'LENGTH(MD5(x))',
  SHA256: 'LENGTH(SHA256(x))',
  'HEX of HEX': 'LENGTH(HEX(HEX(x)))',
  TO_BASE64: 'LENGTH(TO_BASE64(x))',
  TO_JSON: 'LENGTH(CAST(TO_JSON(x) AS VARCHAR))',
  JSON_ARRAY: 'LENGTH(CAST(JSON_ARRAY(x, x, x) AS VARCHAR))',
  JSON_EXTRACT: "LENGTH(JSON_EXTRACT_STRING(j, '$[1]'))",
  JSON_CONTAINS: 'JSON_CONTAINS(j, j)',
  ARRAY_CONTAINS: 'ARRAY_CONTAINS(j, 2)',
  'a text as a date': 'CAST(TRY_CAST(x AS DATE) AS VARCHAR)',
  'a text as a timestamp': "TRY_CAST('2024-01-01 00:00:00 ' || x AS TIMESTAMP) IS NULL",
  'a text as a number': "TRY_CAST(REPLACE(x, 'o-', '1') AS DOUBLE) IS NULL",
  NULLIF: "LENGTH(NULLIF(UPPER(u), 'x'))",
};

/** `times`: how often the texts repeat the six characters of a key. */
export function statementsOf(times: number): readonly (readonly [what: string, sql: string])[] {
  return Object.entries(EXPRESSIONS).map(([what, expression]) => [
    what,
    `SELECT MAX(CAST(${expression} AS VARCHAR)) FROM (SELECT order_id, REPEAT(order_id, ${times}) AS x, ` +
      `REPEAT('z' || RIGHT(order_id, 5), ${times}) AS y, REPEAT('é' || RIGHT(order_id, 4), ${times}) AS u, ` +
      `'[' || REPEAT('1,2,3,', ${times}) || '1]' AS j FROM shop.orders) t`,
  ]);
}

/** The statement that took an engine from 219 to 1,656 MB under a limit of 96. */
export const REPORTED =
  'SELECT SUM(LENGTH(x||x||x||x)) FROM (SELECT REPEAT(order_id, 10900) AS x FROM shop.orders) t';
