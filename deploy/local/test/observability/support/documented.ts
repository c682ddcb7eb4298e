/** What deploy/observability/README.md lists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../../..');
export const FOLDER = join(ROOT, 'deploy/observability');

const page = readFileSync(join(FOLDER, 'README.md'), 'utf8');

/** Rows of the table whose first column has this heading, as texts without backquotes. */
function rows(heading: string, index = 0): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const starts = lines.flatMap((line, i) => (line.startsWith(`| ${heading} `) ? [i] : []));
  const start = starts[index];
  if (start === undefined) throw new Error(`the page has no table of ${heading} ${index}`);
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, start + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const list = (cell = ''): readonly string[] => (cell === '' ? [] : cell.split(', '));

interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  /** Null: all of them. */
  readonly processes: readonly string[] | null;
}

export const METRICS: readonly DocumentedMetric[] = [
  ...rows('metric').map(([name = '', type = '', labels, processes]) => ({
    name,
    type,
    labels: list(labels),
    processes: list(processes),
  })),
  ...rows('metric', 1).map(([name = '', type = '', labels]) => ({
    name,
    type,
    labels: list(labels),
    processes: null,
  })),
];

export const SPAN_NAMES: readonly string[] = rows('span').map(([name = '']) => name.replace(', …', ''));
export const ATTRIBUTE_NAMES: readonly string[] = rows('attribute').map(([name = '']) => name);
export const LOG_FIELDS: readonly string[] = rows('field').flatMap(([names]) => list(names));
export const ALERTS: readonly string[] = rows('alert').map(([name = '']) => name);
