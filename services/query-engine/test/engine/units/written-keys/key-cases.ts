/** One key, as it is asked for: by a whole text or number key of a table, and of a GSI. `{k}` stands for the key. */
import type { Written } from './cases.ts';

export interface KeyCases {
  readonly table: string;
  /** The names of the key in the table and in its GSI. */
  readonly keys: readonly string[];
  readonly literal: string;
  readonly written: readonly Written[];
}

const ID = 'e007';

const oneText: KeyCases = {
  table: 'people',
  keys: ['id', 'gid'],
  literal: `{k} = '${ID}'`,
  written: [
    // Prisma, drizzle, SQLAlchemy, Ecto, Npgsql, Trino, ActiveRecord, Django
    [`{k} = ?`, ID],
    [`{k} = ?::text`, ID],
    [`{k} = ?::VARCHAR`, ID],
    [`{k} = CAST(? AS VARCHAR)`, ID],
    [`{k} = CAST(? AS text)`, ID],
    [`{k} = CAST(? AS "text")`, ID],
    [`CAST({k} AS text) = ?`, ID],
    [`CAST({k} AS text) = CAST(? AS text)`, ID],
    [`{k}::text IN (?)`, ID],
    [`CAST({k} AS text) IN (?, ?)`, ID, ID],
    [`{k} IN (CAST(? AS VARCHAR))`, ID],
    [`{k} = ANY(ARRAY[?])`, ID],
    `{k} = ANY(ARRAY['${ID}']::text[])`,
    `{k} = ANY('{${ID}}')`,
    `list_contains(['${ID}'], {k})`,
    [`COALESCE({k}, '') = ?`, ID],
    `IFNULL({k}, 'none') = '${ID}'`,
    // Made
    `{k} = 'e' || '007'`,
    [`{k} = 'e' || ?`, '007'],
    [`{k} = concat('e', CAST(? AS VARCHAR))`, '007'],
    `{k} = lower('E007')`,
    `{k} = 'e' || lpad('7', 3, '0')`,
    `{k} = (SELECT '${ID}')`,
    `{k} = COALESCE(NULL, '${ID}')`,
    `{k} = CASE WHEN 1 = 1 THEN '${ID}' ELSE 'x' END`,
    `'x' || {k} = 'x${ID}'`,
    `{k} || '#' = '${ID}#'`,
    `concat('ID-', {k}) = 'ID-${ID}'`,
    `{k} LIKE '${ID}'`,
    // About conditions
    `({k} = '${ID}') IS TRUE`,
    `({k} = '${ID}') = true`,
    `NOT ({k} <> '${ID}')`,
    `NOT NOT ({k} = '${ID}')`,
    `({k} <> '${ID}') IS FALSE`,
    `({k} <> '${ID}') = false`,
    `CASE WHEN {k} = '${ID}' THEN true ELSE false END`,
    `CASE WHEN {k} = '${ID}' THEN 1 ELSE 0 END = 1`,
    `CASE {k} WHEN '${ID}' THEN 'yes' ELSE 'no' END = 'yes'`,
    `{k} IS NOT DISTINCT FROM '${ID}'`,
    `({k}, 1) = ('${ID}', 1)`,
    `{k} = '${ID}' AND 1 + 1 = 2`,
    `({k} = '${ID}' OR 1 = 2)`,
    `COALESCE({k} = '${ID}', false)`,
    `NULLIF({k}, '') = '${ID}'`,
    `{k} BETWEEN '${ID}' AND '${ID}'`,
  ],
};

/** Not by quotients and DOUBLEs: several keys may be as near to one, so that a range has to be read. */
const oneNumber: KeyCases = {
  table: 'numbered',
  keys: ['no', 'gno'],
  literal: '{k} = 7',
  written: [
    [`{k} = ?`, 7],
    [`{k} = ?::int`, 7],
    [`{k} = ?::numeric`, '7'],
    [`{k} = CAST(? AS BIGINT)`, '7'],
    [`{k}::numeric = ?::numeric`, '7'],
    `{k} + 1 = 8`,
    `1 + {k} = 8`,
    `{k} - 7 = 0`,
    `10 - {k} = 3`,
    `-{k} = -7`,
    `{k} * 2 = 14`,
    `{k} * 10 + 5 = 75`,
    `{k} = 3 + 4`,
    `{k} = length('letters')`,
    `CAST({k} AS VARCHAR) = '7'`,
    `CAST({k} AS text) IN ('7')`,
    `concat('ID-', {k}) = 'ID-7'`,
    `{k} = '7'`,
    `COALESCE({k}, 0) = 7`,
    `({k} = 7) IS TRUE`,
    `NOT ({k} <> 7)`,
    `{k} IS NOT DISTINCT FROM 7`,
    `list_contains([7], {k})`,
    `{k} = ANY(ARRAY[7])`,
    `CASE WHEN {k} = 7 THEN true ELSE false END`,
    `{k} IN (6 + 1)`,
    `{k} BETWEEN 7 AND 7.0`,
  ],
};

const severalTexts: KeyCases = {
  table: 'people',
  keys: ['id', 'gid'],
  literal: `{k} IN ('e001', 'e002', 'e003')`,
  written: [
    [`{k} IN (?::text, ?::text, ?::text)`, 'e001', 'e002', 'e003'],
    `CAST({k} AS text) IN ('e001', 'e002', 'e003')`,
    `{k} = ANY(ARRAY['e001', 'e002', 'e003'])`,
    `list_contains(['e001', 'e002', 'e003'], {k})`,
    `({k} = 'e001' OR CAST({k} AS VARCHAR) = 'e002' OR 'e003' = {k}::text)`,
    `{k} IN ('e' || '001', concat('e', '002'), 'e003')`,
    `NOT ({k} <> 'e001' AND {k} <> 'e002' AND {k} <> 'e003')`,
    `COALESCE({k}, '') IN ('e001', 'e002', 'e003')`,
    `({k} IN ('e001', 'e002', 'e003')) IS TRUE`,
    `CASE WHEN {k} IN ('e001', 'e002', 'e003') THEN true ELSE false END`,
    `'#' || {k} IN ('#e001', '#e002', '#e003')`,
    `{k} NOT IN ('x') AND NOT ({k} NOT IN ('e001', 'e002', 'e003'))`,
  ],
};

const nothing: KeyCases = {
  table: 'people',
  keys: ['id', 'gid'],
  literal: `{k} = NULL`,
  written: [
    [`{k} = CAST(? AS text)`, null],
    `{k} = CAST(NULL AS text)`,
    `{k} = 'e001' AND 1 + 1 = 3`,
    `{k} = NULLIF('x', 'x')`,
    `'A' || {k} = 'B001'`,
    `{k} = 'e001' AND 'a' || 'b' = 'x'`,
  ],
};

export const keyCases: Readonly<Record<string, KeyCases>> = {
  'one text key': oneText,
  'one number key': oneNumber,
  'several text keys': severalTexts,
  'no key': nothing,
};
