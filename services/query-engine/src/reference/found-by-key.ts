/** What the reference says of conditions that are found by key however they are written. Each row is run by a test. */
import { code, table } from './markdown.ts';

/** The tables that the examples are about; tests make them. */
export type ExampleTable = 'users' | 'notes' | 'events' | 'readings';

/** What binds the partition, of tables whose examples are about the sort key. */
export const BOUND: Readonly<Record<ExampleTable, string>> = Object.freeze({
  users: '',
  notes: `pk = 'p1' AND `,
  events: `pk = 'p1' AND `,
  readings: `pk = 'p1' AND `,
});

export interface FoundCondition {
  readonly table: ExampleTable;
  /** As it is written. */
  readonly written: string;
  /** What it is read like: it costs as much. */
  readonly like: string;
  /** The same in words, where it is another one each day. */
  readonly shown?: string;
  readonly parameters?: readonly string[];
}

interface Group {
  readonly title: string;
  readonly rows: readonly FoundCondition[];
}

export const FOUND_CONDITIONS: readonly Group[] = [
  {
    title: 'Values that depend on no row',
    rows: [
      {
        table: 'users',
        written: 'id = CAST(? AS VARCHAR)',
        like: `id = 'u17'`,
        parameters: ['u17'],
      },
      { table: 'users', written: `id = 'u' || 17`, like: `id = 'u17'` },
      { table: 'users', written: `id IN (LOWER('U17'), CONCAT('u', 18))`, like: `id IN ('u17', 'u18')` },
      { table: 'users', written: `id = (SELECT 'u17')`, like: `id = 'u17'` },
      { table: 'events', written: `at >= '2024-06-' || ?`, like: `at >= '2024-06-29'`, parameters: ['29'] },
    ],
  },
  {
    title: 'Conditions about conditions',
    rows: [
      { table: 'users', written: `(id = 'u17') IS TRUE`, like: `id = 'u17'` },
      { table: 'users', written: `CASE WHEN id = 'u17' THEN 1 ELSE 0 END = 1`, like: `id = 'u17'` },
      { table: 'users', written: `NOT (id <> 'u17')`, like: `id = 'u17'` },
      { table: 'users', written: `id IS NOT DISTINCT FROM 'u17'`, like: `id = 'u17'` },
      { table: 'users', written: `COALESCE(id, '') = 'u17'`, like: `id = 'u17'` },
      { table: 'users', written: `LIST_CONTAINS(['u17', 'u18'], id)`, like: `id IN ('u17', 'u18')` },
      { table: 'users', written: `(id, name) = ('u17', 'Ada')`, like: `id = 'u17'` },
      { table: 'events', written: `(at, kind) > ('2024-06-29', 'b')`, like: `at >= '2024-06-29'` },
      {
        table: 'notes',
        written: `sk LIKE 'A#%' OR sk LIKE 'Z#%'`,
        like: `sk >= 'A#' AND sk < 'A$' OR sk >= 'Z#' AND sk < 'Z$'`,
      },
    ],
  },
  {
    title: 'Texts',
    rows: [
      { table: 'users', written: `CAST(id AS text) IN ('u17', 'u18')`, like: `id IN ('u17', 'u18')` },
      { table: 'notes', written: `LEFT(sk, 2) = 'A#'`, like: `sk LIKE 'A#%'` },
      {
        table: 'notes',
        written: `SUBSTRING(sk FROM 1 FOR 2) IN ('A#', 'Z#')`,
        like: `sk LIKE 'A#%' OR sk LIKE 'Z#%'`,
      },
      { table: 'notes', written: `STARTS_WITH(sk, 'A#')`, like: `sk LIKE 'A#%'` },
      { table: 'notes', written: `sk ~ '^A#'`, like: `sk LIKE 'A#%'` },
      { table: 'notes', written: `SPLIT_PART(sk, '#', 1) = 'A'`, like: `sk = 'A' OR sk LIKE 'A#%'` },
      {
        table: 'notes',
        written: `SPLIT_PART(sk, '#', 1) = 'M' AND SPLIT_PART(sk, '#', 2) >= '2024-03-18'`,
        like: `sk >= 'M#2024-03-18' AND sk < 'M$'`,
      },
      { table: 'users', written: `'user ' || id = 'user u17'`, like: `id = 'u17'` },
    ],
  },
  {
    title: 'Numbers',
    rows: [
      { table: 'readings', written: 'ts + 60 = 1717200060', like: 'ts = 1717200000' },
      { table: 'readings', written: '-ts < -1717540000', like: 'ts > 1717540000' },
      { table: 'readings', written: 'ts / 1000 >= 1717540', like: 'ts >= 1717540000' },
      {
        table: 'readings',
        written: 'FLOOR(ts / 1000) = 1717203',
        like: 'ts >= 1717203000 AND ts < 1717204000',
      },
      { table: 'readings', written: 'CAST(ts AS BIGINT) = 1717200000', like: 'ts = 1717200000' },
      { table: 'readings', written: `CAST(ts AS VARCHAR) = '1717200000'`, like: 'ts = 1717200000' },
    ],
  },
  {
    title: 'Times',
    rows: [
      {
        table: 'events',
        written: `at >= NOW() - INTERVAL '7 days'`,
        like: `at >= '2025'`,
        shown: 'a range of the last eight days',
      },
      {
        table: 'events',
        written: 'at >= CURRENT_DATE - INTERVAL 7 DAY',
        like: `at >= '2025'`,
        shown: 'the same',
      },
      { table: 'events', written: `at >= TIMESTAMP '2024-06-29 00:00:00'`, like: `at >= '2024-06-29'` },
      {
        table: 'events',
        written: `CAST(at AS DATE) = DATE '2024-06-29'`,
        like: `at >= '2024-06-28' AND at < '2024-07-01'`,
      },
      {
        table: 'events',
        written: `DATE_TRUNC('day', CAST(at AS TIMESTAMP)) = TIMESTAMP '2024-06-29 00:00:00'`,
        like: `at >= '2024-06-28' AND at < '2024-07-01'`,
      },
      {
        table: 'events',
        written: `STRFTIME(CAST(at AS TIMESTAMP), '%Y-%m-%d') = '2024-06-29'`,
        like: `at >= '2024-06-28' AND at < '2024-07-01'`,
      },
      {
        table: 'events',
        written: `YEAR(at) = 2024 AND MONTH(at) = 6 AND DAY(at) = 29`,
        like: `at >= '2024-06-28' AND at < '2024-07-01'`,
      },
      {
        table: 'readings',
        written: `TO_TIMESTAMP(ts) >= TIMESTAMP '2024-06-04 22:26:40'`,
        like: 'ts >= 1717540000',
      },
      {
        table: 'readings',
        written: `CAST(TO_TIMESTAMP(ts) AS DATE) = DATE '2024-06-01'`,
        like: 'ts >= 1717200000 AND ts < 1717286400',
      },
    ],
  },
];

export interface FoundStatement {
  readonly table: ExampleTable;
  readonly sql: string;
  /** What it costs, in half units: a page of a Query each. */
  readonly pages: number;
  readonly words: string;
}

/** Statements that end a read early. */
export const FOUND_STATEMENTS: readonly FoundStatement[] = [
  {
    table: 'readings',
    sql: `SELECT ts FROM shop.readings WHERE pk = 'p1' ORDER BY TO_TIMESTAMP(ts) DESC LIMIT 2`,
    pages: 1,
    words: 'the last two: functions that keep the order of numbers, `-ts` too',
  },
  {
    table: 'notes',
    sql: `SELECT sk FROM shop.notes WHERE pk = 'p1' ORDER BY 'note ' || sk LIMIT 2`,
    pages: 1,
    words: 'the first two',
  },
  {
    table: 'events',
    sql: `SELECT pk, MAX(at) FROM shop.events WHERE pk IN ('p1', 'p2') GROUP BY pk`,
    pages: 2,
    words: 'the last time of each partition',
  },
  {
    table: 'events',
    sql: `SELECT DISTINCT ON (pk) pk, at, kind FROM shop.events WHERE pk IN ('p1', 'p2') ORDER BY pk, at DESC`,
    pages: 2,
    words: 'the last item of each, whole',
  },
  {
    table: 'events',
    sql: `SELECT pk, at FROM shop.events WHERE pk IN ('p1', 'p2') QUALIFY ROW_NUMBER() OVER (PARTITION BY pk ORDER BY at DESC) <= 3`,
    pages: 2,
    words: 'the last three of each',
  },
];

export interface HiddenCondition {
  readonly table: ExampleTable;
  readonly written: string;
  /** Why, and what to write. */
  readonly words: string;
}

/** What is read whole: the table, or the partition. */
export const HIDDEN_CONDITIONS: readonly HiddenCondition[] = [
  {
    table: 'users',
    written: `UPPER(id) = 'U17'`,
    words: `many texts have this one in upper case: \`id = 'u17'\`, or \`id IN ('u17', 'U17')\``,
  },
  {
    table: 'users',
    written: `id ILIKE 'u1%'`,
    words: 'so have many this beginning: `LIKE`, where the case is known',
  },
  {
    table: 'users',
    written: `id LIKE '%17'`,
    words: 'keys are sorted by their beginnings: an attribute with an index',
  },
  { table: 'notes', written: 'LENGTH(sk) = 3', words: 'texts of one length lie anywhere' },
  {
    table: 'notes',
    written: `SPLIT_PART(sk, '#', 2) = '2024-03-18'`,
    words: 'keys are sorted by the part before it: say that, too',
  },
  {
    table: 'readings',
    written: 'ts % 1000 = 0',
    words: 'such numbers lie anywhere: a range, or an attribute with an index',
  },
  { table: 'readings', written: 'MONTH(TO_TIMESTAMP(ts)) = 6', words: 'each year has one: a range of `ts`' },
  {
    table: 'events',
    written: `at || kind = '2024-06-29b'`,
    words: 'where one ends and the other begins is not said: each by itself',
  },
];

const conditionRows = (): readonly (readonly string[])[] =>
  FOUND_CONDITIONS.flatMap(({ title, rows }) =>
    rows.map(({ written, like, shown }, i) => [i === 0 ? title : '', code(written), shown ?? code(like)]),
  );

/** The whole section. */
export const FOUND_BY_KEY = `### Keys, however a condition is written

What is said of a key is understood in many words, and costs what plain ones do. In the examples \`id\` is a partition
key, and \`sk\`, \`at\` and \`ts\` are sort keys beside \`pk = 'p1'\`: \`sk\` of texts, \`at\` of times in ISO 8601, \`ts\` of seconds since 1970.
They hold for the keys of tables and of indexes, in WHERE and in ON, for columns of views and subqueries. Whatever is read, its
rows are checked by the condition as it is written.

${table(['', 'Written', 'Read like'], conditionRows())}

A text that is a time may have any offset, and be written in several ways. So it is looked for with a day on both sides, and
by ranges of their own among those without dashes (\`20240629\`) or with slashes: half a unit each, where there are none.

${table(
  ['Statement', 'Reads'],
  FOUND_STATEMENTS.map(({ sql, words }) => [code(sql), words]),
)}

Some conditions on a key say nothing of where it lies. Where that costs, \`warnings\` say which, and what would cost less:

\`\`\`text
shop.users: \`UPPER(id) = 'U17'\` does not tell which values of id to read; with \`id = …\`, the table would be read by its key: about 0.5 read units on average for 25
\`\`\`

${table(
  ['Written', 'Read whole'],
  HIDDEN_CONDITIONS.map(({ written, words }) => [code(written), words]),
)}`;
