/** What to write instead of functions that other systems have, and of DynamoDB's own. */

const RANDOM = 'nothing random is offered, since every page of a result runs the statement again';
const ROWS =
  'rows are made in FROM: FROM t CROSS JOIN UNNEST(t.list) AS u(x), or FROM GENERATE_SERIES(1, 10) AS g(n)';
const PATH = 'write a path such as address.city or tags[0]';
const FORMAT = "write STRFTIME(x, '%Y-%m-%d')";

/** By upper-case name. */
const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    [RANDOM]: ['RANDOM', 'RAND', 'UUID', 'NEWID', 'GEN_RANDOM_UUID', 'SETSEED'],
    [ROWS]: ['EXPLODE', 'FLATTEN', 'JSON_TABLE', 'RANGE'],
    [PATH]: ['JSON_QUERY', 'GET_PATH', 'STRUCT_EXTRACT'],
    [FORMAT]: ['DATE_FORMAT', 'FORMAT_DATE', 'FORMAT_TIMESTAMP', 'FORMATDATETIME'],
    'write CAST(x AS DATE), or STRPTIME(x, format)': ['PARSE_DATE', 'STR_TO_DATE'],
    'write CAST(x AS DECIMAL)': ['TO_NUMBER', 'TO_DECIMAL', 'TO_NUMERIC'],
    'write CAST(x AS type)': ['CONVERT', 'TRY_CONVERT', 'TO_VARCHAR', 'TO_STRING'],
    'write NOW()': ['GETDATE', 'SYSDATE', 'SYSDATETIME', 'GETUTCDATE', 'UTC_TIMESTAMP'],
    'write CURRENT_DATE': ['CURDATE'],
    'the PostgreSQL endpoint alone answers it': ['VERSION', 'CURRENT_DATABASE', 'CURRENT_SCHEMA'],
    'write CASE': ['NVL2', 'CHOOSE', 'SWITCH'],
    'write x IS NULL': ['ISNULL', 'ATTRIBUTE_NOT_EXISTS'],
    'write x IS NOT NULL': ['ATTRIBUTE_EXISTS'],
    'write TYPEOF(x)': ['ATTRIBUTE_TYPE', 'PG_TYPEOF'],
    'write POSITION(part IN text)': ['CHARINDEX'],
    'write REGEXP_MATCHES(text, pattern)': ['RLIKE', 'REGEXP_CONTAINS'],
    'write MIN(x), ANY_VALUE(x) or the window function FIRST_VALUE': ['FIRST', 'LAST'],
    'write CONCAT(a, b) or a || b': ['FORMAT', 'PRINTF', 'SPRINTF'],
  }).flatMap(([advice, names]) => names.map((name) => [name, advice] as const)),
);

/** Advice on a function that is not on the list; undefined where there is none. */
export function insteadOf(name: string): string | undefined {
  return INSTEAD.get(name);
}

/** Every name that there is advice on. */
export const NAMES_ELSEWHERE: readonly string[] = Object.freeze([...INSTEAD.keys()]);
