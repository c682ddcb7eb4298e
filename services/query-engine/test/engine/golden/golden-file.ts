/** A statement with its rows, units and plan, as text: one file each, made anew by UPDATE_GOLDEN=1. */

export interface Golden {
  readonly title: string;
  readonly sql: string;
  /** Rows of a page. */
  readonly maxRows: number;
}

export interface Outcome {
  readonly json: string;
  readonly readUnits: number;
  readonly plan: string;
  readonly weight: number;
  readonly warnings: readonly string[];
}

const PAGE = /^-- page: (\d+) rows$/;
const DEFAULT_ROWS = 5;

/** Reads the head of a file: `-- title`, perhaps `-- page: n rows`, then SQL up to the first line of `----`. */
export function parseGolden(text: string): Golden {
  const [head = ''] = text.split('\n----');
  const [first = '', ...lines] = head.split('\n');
  const page = lines.find((line) => PAGE.test(line));
  const sql = lines
    .filter((line) => line !== page)
    .join('\n')
    .trim();
  if (!first.startsWith('-- ') || sql === '') throw new Error('a golden file starts with a title and SQL');
  return { title: first.slice(3), sql, maxRows: Number(PAGE.exec(page ?? '')?.[1] ?? DEFAULT_ROWS) };
}

export function printGolden(golden: Golden, outcome: Outcome): string {
  const { title, sql, maxRows } = golden;
  const rows = outcome.json === '[]' ? '' : outcome.json.slice(1, -1).replaceAll('],[', '],\n[');
  return [
    `-- ${title}`,
    ...(maxRows === DEFAULT_ROWS ? [] : [`-- page: ${maxRows} rows`]),
    sql,
    '---- rows',
    ...(rows === '' ? [] : [rows]),
    `---- read units: ${outcome.readUnits}`,
    ...outcome.warnings.map((warning) => `---- warning: ${warning}`),
    `---- plan, weight ${outcome.weight}`,
    outcome.plan,
    '',
  ].join('\n');
}
