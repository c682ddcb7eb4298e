/**
 * What programs and people write about keys, beside the literal that reads least. `{p}` and `{k}` stand for the partition key
 * and the sort key of the table, of an LSI, and of a GSI.
 */

/** A condition, with the values of its parameters. */
export type Written = string | readonly [condition: string, ...parameters: unknown[]];

export interface WrittenCases {
  readonly table: string;
  /** What binds the partition in the literal, and in what is written. */
  readonly partition: string;
  /** By hand, of the key alone. */
  readonly literal: string;
  readonly written: readonly Written[];
}

const IN_P1 = `{p} = 'p1'`;
const DAY = ['2026-11-20', '2026-11-21'] as const;
const MIDNIGHTS = [`2026-11-20T00:00:00Z`, `2026-11-21T00:00:00Z`] as const;
const LAST = '2026-11-20T23:59:59.999Z';
const EPOCH = Date.parse(MIDNIGHTS[0]) / 1000;
const NEXT = EPOCH + 86_400;

const dayInTexts: WrittenCases = {
  table: 'visits',
  partition: IN_P1,
  literal: `{k} >= '2026-11-20' AND {k} < '2026-11-21'`,
  written: [
    // Prisma, drizzle, ActiveRecord, SQLAlchemy, Ecto, Npgsql: parameters, cast or not
    [`{k} >= ? AND {k} < ?`, ...DAY],
    [`{k} >= ?::text AND {k} < ?::text`, ...DAY],
    [`{k} >= ?::VARCHAR AND {k} < ?::VARCHAR`, ...DAY],
    [`{k} >= CAST(? AS VARCHAR) AND {k} < CAST(? AS VARCHAR)`, ...DAY],
    [`{k}::text >= ?::text AND {k}::text < ?::text`, ...DAY],
    [`{k} BETWEEN ? AND ?`, MIDNIGHTS[0], LAST],
    [`({k} >= ?::timestamptz) AND ({k} < ?::timestamptz)`, ...MIDNIGHTS],
    [`{k}::timestamptz BETWEEN ? AND ?`, MIDNIGHTS[0], LAST],
    [
      `CAST({k} AS TIMESTAMP) >= CAST(? AS TIMESTAMP) AND CAST({k} AS TIMESTAMP) < CAST(? AS TIMESTAMP)`,
      ...DAY,
    ],
    [`DATE({k}) = ?`, DAY[0]],
    [`({k} AT TIME ZONE 'UTC')::date = ?`, DAY[0]],
    [`({k} AT TIME ZONE 'UTC')::date = ?::date`, DAY[0]],
    [`CAST({k} AS DATE) = CAST(? AS DATE)`, DAY[0]],
    `date_trunc('day', {k}::timestamptz AT TIME ZONE 'UTC') = TIMESTAMP '2026-11-20'`,
    `date_trunc('day', {k}::timestamp) = TIMESTAMP '2026-11-20 00:00:00'`,
    `{k}::timestamp::date = DATE '2026-11-20'`,
    `EXTRACT(year FROM CAST({k} AS TIMESTAMP)) = 2026 AND {k} >= '2026-11-20' AND {k} < '2026-11-21'`,
    // Metabase
    `CAST({k} AS date) = date '2026-11-20'`,
    `CAST({k} AS date) BETWEEN date '2026-11-20' AND date '2026-11-20'`,
    `DATE_TRUNC('day', CAST({k} AS timestamp)) = date '2026-11-20'`,
    // Superset
    `DATE_TRUNC('day', CAST({k} AS TIMESTAMP)) >= TIMESTAMP '2026-11-20 00:00:00.000000' AND DATE_TRUNC('day', CAST({k} AS TIMESTAMP)) < TIMESTAMP '2026-11-21 00:00:00.000000'`,
    `CAST({k} AS TIMESTAMP) >= TO_TIMESTAMP('2026-11-20 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND CAST({k} AS TIMESTAMP) < TO_TIMESTAMP('2026-11-21 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')`,
    // Grafana: $__timeFilter, $__timeGroup
    `{k} BETWEEN '2026-11-20T00:00:00Z' AND '2026-11-20T23:59:59.999Z'`,
    `extract(epoch from {k}::timestamptz) >= ${EPOCH} AND extract(epoch from {k}::timestamptz) < ${NEXT}`,
    `floor(extract(epoch from {k}::timestamp) / 86400) * 86400 = ${EPOCH}`,
    // dbt, Trino
    `cast(date_trunc('day', CAST({k} AS TIMESTAMP)) as date) = cast('2026-11-20' as date)`,
    `{k} >= CAST('2026-11-20' AS "text") AND {k} < CAST('2026-11-21' AS "text")`,
    // By hand
    `{k} >= DATE '2026-11-20' AND {k} < DATE '2026-11-21'`,
    `{k} >= DATE '2026-11-20' AND {k} < DATE '2026-11-20' + 1`,
    `{k} >= TIMESTAMP '2026-11-20' AND {k} < TIMESTAMP '2026-11-20' + INTERVAL '1 day'`,
    `{k} BETWEEN TIMESTAMP '2026-11-20 00:00:00' AND TIMESTAMP '2026-11-20 23:59:59'`,
    `strftime({k}::timestamp, '%Y-%m-%d') = '2026-11-20'`,
    `to_char({k}::timestamp, 'YYYY-MM-DD') = '2026-11-20'`,
    `TRY_CAST({k} AS DATE) = DATE '2026-11-20'`,
    `date_trunc('day', {k}) = DATE '2026-11-20'`,
    `CAST({k} AS DATE) IN (DATE '2026-11-20')`,
    `DATE '2026-11-20' = CAST({k} AS DATE)`,
    `year({k}::timestamp) = 2026 AND month({k}::timestamp) = 11 AND CAST({k} AS DATE) = '2026-11-20'`,
    `year({k}::timestamp) = 2026 AND month({k}::timestamp) = 11 AND day({k}::timestamp) = 20`,
    // As texts
    `left({k}, 10) = '2026-11-20'`,
    `substr({k}, 1, 10) = '2026-11-20'`,
    `substring({k} FROM 1 FOR 10) = '2026-11-20'`,
    `CAST({k} AS VARCHAR(10)) = '2026-11-20'`,
    `starts_with({k}, '2026-11-20')`,
    `{k} LIKE '2026-11-' || '20%'`,
    [`{k} LIKE ? || '%'`, DAY[0]],
    [`{k} LIKE concat(?, '%')`, DAY[0]],
    `{k} ~ '^2026-11-20'`,
    `regexp_matches({k}, '^2026-11-20T')`,
    `{k} SIMILAR TO '2026-11-20%'`,
    `split_part({k}, 'T', 1) = '2026-11-20'`,
    `strpos({k}, '2026-11-20') = 1`,
    // Conditions about conditions
    `({k} >= '2026-11-20' AND {k} < '2026-11-21') IS TRUE`,
    `NOT ({k} < '2026-11-20' OR {k} >= '2026-11-21')`,
    `NOT NOT ({k} BETWEEN '2026-11-20' AND '2026-11-20Z')`,
    `CASE WHEN {k} >= '2026-11-20' AND {k} < '2026-11-21' THEN true ELSE false END`,
    `COALESCE({k}, '') >= '2026-11-20' AND COALESCE({k}, '') < '2026-11-21'`,
    `({k} >= '2026-11-20') = true AND ({k} < '2026-11-21') = true`,
    `({p}, {k}) >= ('p1', '2026-11-20') AND ({p}, {k}) < ('p1', '2026-11-21')`,
    `{k} >= (SELECT '2026-11-20') AND {k} < (SELECT '2026-11-21')`,
  ],
};

const monthInTexts: WrittenCases = {
  table: 'visits',
  partition: IN_P1,
  literal: `{k} >= '2026-11-01' AND {k} < '2026-12-01'`,
  written: [
    `date_trunc('month', {k}::timestamp) = DATE '2026-11-01'`,
    `DATE_TRUNC('month', CAST({k} AS TIMESTAMP)) = TIMESTAMP '2026-11-01 00:00:00'`,
    `strftime({k}::timestamp, '%Y-%m') = '2026-11'`,
    `to_char({k}::timestamp, 'YYYY-MM') = '2026-11'`,
    `year({k}::timestamp) = 2026 AND month({k}::timestamp) = 11`,
    `EXTRACT(MONTH FROM CAST({k} AS TIMESTAMP)) = 11 AND EXTRACT(YEAR FROM CAST({k} AS TIMESTAMP)) = 2026`,
    `date_part('year', {k}::date) = 2026 AND date_part('month', {k}::date) = 11`,
    // Django: at__year, at__month
    [
      `({k}::timestamptz BETWEEN ?::timestamptz AND ?::timestamptz AND EXTRACT(MONTH FROM {k}::timestamptz) = 11)`,
      ...['2026-01-01T00:00:00Z', '2026-12-31T23:59:59.999999Z'],
    ],
    `left({k}, 7) = '2026-11'`,
    `{k} LIKE '2026-11-%'`,
    `CAST({k} AS DATE) BETWEEN DATE '2026-11-01' AND DATE '2026-11-30'`,
    `CAST({k} AS DATE) >= DATE '2026-11-01' AND CAST({k} AS DATE) < DATE '2026-11-01' + INTERVAL '1 month'`,
    `{k} >= DATE '2026-11-01' AND {k} <= last_day(DATE '2026-11-05') + 1 AND left({k}, 7) = '2026-11'`,
  ],
};

const yearInTexts: WrittenCases = {
  table: 'visits',
  partition: IN_P1,
  literal: `{k} >= '2026-12-05'`,
  written: [
    `CAST({k} AS TIMESTAMP) >= TIMESTAMP '2026-12-05'`,
    `{k}::date >= '2026-12-05'`,
    `{k}::date > DATE '2026-12-04'`,
    `date_trunc('day', {k}::timestamp) >= '2026-12-05'`,
    `strftime({k}::timestamp, '%Y-%m-%d') >= '2026-12-05'`,
    `{k}::timestamp + INTERVAL '1 day' >= TIMESTAMP '2026-12-06'`,
    `left({k}, 10) >= '2026-12-05'`,
  ],
};

/** @param since the moment seven days ago */
const lastWeek = (since: number): WrittenCases => ({
  table: 'recent',
  partition: IN_P1,
  literal: `{k} >= '${new Date(since).toISOString()}'`,
  written: [
    `{k} >= now() - INTERVAL '7 days'`,
    `{k} >= now() - INTERVAL 7 DAY`,
    `{k} >= CURRENT_TIMESTAMP - INTERVAL '7' DAY`,
    `{k} > LOCALTIMESTAMP - INTERVAL '168 hours'`,
    `CAST({k} AS TIMESTAMP) >= now() - INTERVAL '7 days'`,
    `{k}::timestamptz >= now() - INTERVAL '7 days'`,
    `TRY_CAST({k} AS TIMESTAMP) > now() - INTERVAL '7 days'`,
    `{k} >= strftime(now() - INTERVAL '7 days', '%Y-%m-%dT%H:%M:%S')`,
    `{k} >= to_char(now() - INTERVAL '7 days', 'YYYY-MM-DD"T"HH24:MI:SS')`,
    `{k}::timestamptz - INTERVAL '1 day' >= now() - INTERVAL '8 days'`,
    `now() - {k}::timestamptz <= INTERVAL '7 days'`,
    `extract(epoch FROM {k}::timestamptz) >= extract(epoch FROM now()) - 604800`,
    [`{k}::timestamptz >= ?`, new Date(since).toISOString()],
  ],
});

/** Whole days: what the day of the bound has besides is the literal's too. */
const lastDays = (today: string): WrittenCases => ({
  table: 'recent',
  partition: IN_P1,
  literal: `{k} >= '${today}'`,
  written: [
    `{k} >= CURRENT_DATE - 7`,
    `CAST({k} AS DATE) >= CURRENT_DATE - 7`,
    `{k} >= CURRENT_DATE - INTERVAL '7 days'`,
    `{k} >= DATE_TRUNC('day', (NOW() + (INTERVAL '-7 day')))`,
    `CAST({k} AS TIMESTAMP) >= CAST(CURRENT_DATE - 7 AS TIMESTAMP)`,
    `{k} >= CAST(CURRENT_DATE - 7 AS VARCHAR)`,
    `{k}::date >= CAST(now() - INTERVAL '7 days' AS DATE)`,
    `{k} >= strftime(CURRENT_DATE - 7, '%Y-%m-%d')`,
    `date_diff('day', {k}::date, CURRENT_DATE) <= 7`,
    `CURRENT_DATE - {k}::date <= 7`,
  ],
});

const dayInSeconds: WrittenCases = {
  table: 'seconds',
  partition: IN_P1,
  literal: `{k} >= ${EPOCH} AND {k} < ${NEXT}`,
  written: [
    `to_timestamp({k}) >= TIMESTAMP '2026-11-20' AND to_timestamp({k}) < TIMESTAMP '2026-11-21'`,
    `to_timestamp({k}) >= TIMESTAMPTZ '2026-11-20 00:00:00+00' AND to_timestamp({k}) < TIMESTAMPTZ '2026-11-21 00:00:00+00'`,
    [`to_timestamp({k}) >= ?::timestamptz AND to_timestamp({k}) < ?::timestamptz`, ...MIDNIGHTS],
    `CAST(to_timestamp({k}) AS DATE) = DATE '2026-11-20'`,
    `to_timestamp({k})::date = '2026-11-20'`,
    `date_trunc('day', to_timestamp({k})) = DATE '2026-11-20'`,
    `DATE_TRUNC('day', TO_TIMESTAMP({k})) = TIMESTAMP '2026-11-20'`,
    `strftime(to_timestamp({k}), '%Y-%m-%d') = '2026-11-20'`,
    `to_char(to_timestamp({k}), 'YYYY-MM-DD') = '2026-11-20'`,
    `{k} >= epoch(TIMESTAMP '2026-11-20') AND {k} < epoch(TIMESTAMP '2026-11-21')`,
    `{k} >= extract(epoch FROM DATE '2026-11-20') AND {k} < extract(epoch FROM DATE '2026-11-21')`,
    `{k} BETWEEN ${EPOCH} AND ${EPOCH} + 86399`,
    `floor({k} / 86400) = ${EPOCH / 86_400}`,
    `CAST({k} / 86400 - 0.5 AS BIGINT) = ${EPOCH / 86_400}`,
    `{k} // 86400 = ${EPOCH / 86_400}`,
    `floor({k} / 86400) * 86400 = ${EPOCH}`,
    `{k} - ${EPOCH} >= 0 AND {k} - ${NEXT} < 0`,
    `{k} * 1000 >= ${EPOCH}000 AND {k} * 1000 < ${NEXT}000`,
    `-{k} <= -${EPOCH} AND -{k} > -${NEXT}`,
    `{k} / 1000 >= ${EPOCH / 1000} AND {k} / 1000 < ${NEXT / 1000}`,
    `CAST({k} AS BIGINT) >= ${EPOCH} AND CAST({k} AS BIGINT) < ${NEXT}`,
    `{k}::numeric >= ${EPOCH}::numeric AND {k}::numeric < ${NEXT}::numeric`,
    `round({k}) >= ${EPOCH} AND trunc({k}) < ${NEXT}`,
    `ceil({k}) >= ${EPOCH} AND ceil({k}) < ${NEXT}`,
    `{k} >= ${EPOCH}::double AND {k} < ${NEXT}::double`,
    [`{k} >= CAST(? AS BIGINT) AND {k} < CAST(? AS BIGINT)`, EPOCH, NEXT],
    [`{k} >= ?::numeric AND {k} < ?::numeric`, `${EPOCH}`, `${NEXT}`],
  ],
};

const dayInMilliseconds: WrittenCases = {
  table: 'milliseconds',
  partition: IN_P1,
  literal: `{k} >= ${EPOCH}000 AND {k} < ${NEXT}000`,
  written: [
    `to_timestamp({k} / 1000) >= TIMESTAMP '2026-11-20' AND to_timestamp({k} / 1000) < TIMESTAMP '2026-11-21'`,
    `to_timestamp({k} / 1000)::date = '2026-11-20'`,
    `date_trunc('day', to_timestamp({k} / 1000.0)) = DATE '2026-11-20'`,
    `to_timestamp({k} * 0.001) >= TIMESTAMP '2026-11-20' AND to_timestamp({k} * 0.001) < TIMESTAMP '2026-11-21'`,
    `{k} >= epoch_ms(TIMESTAMP '2026-11-20') AND {k} < epoch_ms(TIMESTAMP '2026-11-21')`,
    `{k} >= epoch(TIMESTAMP '2026-11-20') * 1000 AND {k} < epoch(TIMESTAMP '2026-11-21') * 1000`,
    `year(to_timestamp({k} / 1000)) = 2026 AND CAST(to_timestamp({k} / 1000) AS DATE) = DATE '2026-11-20'`,
  ],
};

const lastWeekInSeconds = (since: number): WrittenCases => ({
  table: 'recent_seconds',
  partition: IN_P1,
  literal: `{k} >= ${Math.ceil(since / 1000)}`,
  written: [
    `{k} >= epoch(now()) - 604800`,
    `{k} >= extract(epoch FROM now()) - 7 * 86400`,
    `{k} >= extract(epoch FROM now() - INTERVAL '7 days')`,
    `{k} > CAST(extract(epoch FROM now()) AS BIGINT) - 604800`,
    `to_timestamp({k}) >= now() - INTERVAL '7 days'`,
    `to_timestamp({k}) > CURRENT_TIMESTAMP - INTERVAL '7' DAY`,
    `epoch(now()) - {k} <= 604800`,
  ],
});

const ordersOfADay: WrittenCases = {
  table: 'things',
  partition: `{p} = 'CUSTOMER#3'`,
  literal: `{k} LIKE 'ORDER#2026-11-20%'`,
  written: [
    `split_part({k}, '#', 1) = 'ORDER' AND split_part({k}, '#', 2) = '2026-11-20'`,
    `split_part({k}, '#', 1) = 'ORDER' AND split_part({k}, '#', 2) BETWEEN '2026-11-20' AND '2026-11-20'`,
    `left({k}, 16) = 'ORDER#2026-11-20'`,
    `left({k}, 6) = 'ORDER#' AND substr({k}, 7, 10) = '2026-11-20'`,
    `{k} LIKE 'ORDER#%' AND substr({k}, 7, 10) = '2026-11-20'`,
    `starts_with({k}, 'ORDER#') AND substring({k} FROM 7 FOR 10) = '2026-11-20'`,
    `substr({k}, 1, 6) = 'ORDER#' AND substr({k}, 7) LIKE '2026-11-20%'`,
    [`{k} LIKE 'ORDER#' || ? || '%'`, '2026-11-20'],
    [`{k} LIKE concat('ORDER#', CAST(? AS VARCHAR), '%')`, '2026-11-20'],
    [`starts_with({k}, concat('ORDER#', ?))`, '2026-11-20'],
    `{k} >= 'ORDER#' || '2026-11-20' AND {k} < 'ORDER#' || CAST(DATE '2026-11-20' + 1 AS VARCHAR)`,
    `{k} >= 'ORDER#' || CAST(DATE '2026-11-20' AS VARCHAR) AND {k} < 'ORDER#2026-11-21'`,
    `'X' || {k} LIKE 'XORDER#2026-11-20%'`,
    `concat({p}, '#', {k}) LIKE 'CUSTOMER#3#ORDER#2026-11-20%'`,
    `{k} ~ '^ORDER#2026-11-20'`,
    `regexp_matches({k}, '^ORDER#2026-11-20#[0-9]+$')`,
  ],
};

const ordersSince: WrittenCases = {
  table: 'things',
  partition: `{p} = 'CUSTOMER#3'`,
  literal: `{k} >= 'ORDER#2027-01-10' AND {k} < 'ORDER$'`,
  written: [
    `split_part({k}, '#', 1) = 'ORDER' AND split_part({k}, '#', 2) >= '2027-01-10'`,
    `left({k}, 6) = 'ORDER#' AND substr({k}, 7, 10) >= '2027-01-10'`,
    `{k} LIKE 'ORDER#%' AND {k} >= 'ORDER#' || '2027-01-10'`,
    `starts_with({k}, 'ORDER#') AND substr({k}, 7) >= '2027-01-10'`,
    `split_part({k}, '#', 1) IN ('ORDER') AND split_part({k}, '#', 2) > '2027-01-09'`,
  ],
};

const profile: WrittenCases = {
  table: 'things',
  partition: `{p} = 'CUSTOMER#3'`,
  literal: `{k} LIKE 'PROFILE#%'`,
  written: [
    `left({k}, 8) = 'PROFILE#'`,
    `split_part({k}, '#', 1) = 'PROFILE'`,
    `starts_with({k}, 'PROFILE' || '#')`,
    `substr({k}, 1, 7) = 'PROFILE'`,
    `{k} SIMILAR TO 'PROFILE#%'`,
    `split_part({k}, '#', 1) IN ('PROFILE')`,
    `({k} LIKE 'PROFILE#%') IS TRUE`,
  ],
};

const twoPrefixes: WrittenCases = {
  table: 'things',
  partition: `{p} = 'CUSTOMER#3'`,
  literal: `({k} LIKE 'ADDRESS#%' OR {k} LIKE 'PROFILE#%')`,
  written: [
    `left({k}, 8) IN ('ADDRESS#', 'PROFILE#')`,
    `split_part({k}, '#', 1) IN ('ADDRESS', 'PROFILE')`,
    `(starts_with({k}, 'ADDRESS#') OR starts_with({k}, 'PROFILE#'))`,
    `(split_part({k}, '#', 1) = 'ADDRESS' OR left({k}, 8) = 'PROFILE#')`,
  ],
};

const partitionWritten = (written: Written): Omit<WrittenCases, 'written'> & { written: [Written] } => ({
  table: 'things',
  partition: '',
  literal: `{p} = 'CUSTOMER#3' AND {k} LIKE 'PROFILE#%'`,
  written: [written],
});

const partitions: readonly WrittenCases[] = (
  [
    `{p} = 'CUSTOMER#' || '3' AND {k} LIKE 'PROFILE#%'`,
    [`{p} = 'CUSTOMER#' || ? AND {k} LIKE 'PROFILE#%'`, '3'],
    [`{p} = concat('CUSTOMER#', ?) AND left({k}, 8) = 'PROFILE#'`, '3'],
    [`{p} = CAST(? AS VARCHAR) AND {k} LIKE 'PROFILE#%'`, 'CUSTOMER#3'],
    [`CAST({p} AS text) = ?::text AND {k} LIKE 'PROFILE#%'`, 'CUSTOMER#3'],
    `COALESCE({p}, '') = 'CUSTOMER#3' AND split_part({k}, '#', 1) = 'PROFILE'`,
    `substr({p}, 10) = '3' AND {p} LIKE 'CUSTOMER#%' AND length({p}) = 10 AND {p} = 'CUSTOMER#3' AND {k} LIKE 'PROFILE#%'`,
    `'X#' || {p} = 'X#CUSTOMER#3' AND {k} LIKE 'PROFILE#%'`,
    `({p} = 'CUSTOMER#3' AND {k} LIKE 'PROFILE#%') IS TRUE`,
  ] satisfies readonly Written[]
).map(partitionWritten);

/** @param now when the tests began */
export function writtenCases(now: number): Readonly<Record<string, readonly WrittenCases[]>> {
  const since = now - 7 * 86_400_000;
  return {
    'a day of ISO texts': [dayInTexts],
    'a month of ISO texts': [monthInTexts],
    'from a day on': [yearInTexts],
    'the last seven days': [lastWeek(since), lastDays(new Date(since).toISOString().slice(0, 10))],
    'a day of seconds and of milliseconds': [dayInSeconds, dayInMilliseconds, lastWeekInSeconds(since)],
    'parts of a sort key': [ordersOfADay, ordersSince, profile, twoPrefixes],
    'a partition key that is made': partitions,
  };
}
