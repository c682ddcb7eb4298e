import { readFileSync } from 'node:fs';
import { PATHS } from '../api/paths.ts';
import type { SqlFunction, SqlReference } from '../api/sql-reference.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { consoleRoute, type ConsoleRoutes } from './route.ts';

/** The engine's own page, generated from its list of functions (`services/query-engine/src/reference`). */
const SQL_REFERENCE = new URL('../../../../services/query-engine/SQL.md', import.meta.url);

/** Cells of a row of a table; bars inside code are escaped there. */
function cellsOf(line: string): readonly string[] {
  return line
    .replaceAll('\\|', '\u0000')
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\u0000', '|'));
}

const plain = (markdown: string): string => markdown.replaceAll('`', '');

function functionOf(group: string, cells: readonly string[]): SqlFunction | null {
  const [names = '', count = '', gives = '', example = ''] = cells;
  const [name, ...aliases] = [...names.matchAll(/`([^`]+)`/g)].map(([, each = '']) => each);
  if (name === undefined) return null;
  return { name, aliases, group, arguments: plain(count), gives: plain(gives), example: plain(example) };
}

/** The functions in the tables below "## Functions", by the heading above each table. */
function functionsIn(page: string): readonly SqlFunction[] {
  const found: SqlFunction[] = [];
  let group: string | null = null;
  let inFunctions = false;
  let inTable = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) inFunctions = line === '## Functions';
    if (line.startsWith('### ')) group = line.slice('### '.length);
    if (!line.startsWith('|')) inTable = false;
    else if (/^\| (?:Function|Aggregate|Window)/.test(line)) inTable = true;
    else if (inTable && inFunctions && group !== null) {
      const made = functionOf(group, cellsOf(line));
      if (made !== null) found.push(made);
    }
  }
  return found;
}

/** The words in capitals of the grammar, and of the statements that the page shows. */
function keywordsIn(page: string, functions: readonly SqlFunction[]): readonly string[] {
  const names = new Set(functions.flatMap(({ name, aliases }) => [name, ...aliases]));
  const blocks = [...page.matchAll(/```(?:sql|text)\n([^`]*)```/g)].map(([, block = '']) => block);
  const words = blocks.flatMap((block) => block.replaceAll(/'[^'\n]*'/g, '').match(/\b[A-Z]{2,}\b/g) ?? []);
  return [...new Set(words)].filter((word) => !names.has(word)).sort();
}

/** What completion needs of SQL.md. */
export function sqlReferenceOf(page: string): SqlReference {
  const functions = functionsIn(page);
  return Object.freeze({ functions, keywords: keywordsIn(page, functions) });
}

/** The reference; the page asks for it once. */
export function sqlReferenceEndpoints(options: ConsoleRoutes): readonly Endpoint[] {
  const page = readFileSync(SQL_REFERENCE, 'utf8');
  const reference = sqlReferenceOf(page);
  return [consoleRoute(options, 'get', PATHS.sqlReference, async () => reference)];
}
