import type { AstQuery } from '../ast.ts';
import type { Edit } from './duckdb-text.ts';

/** Edits that spell the calls of CHAR as CHR: DuckDB takes CHAR for a type wherever it stands. */
export function spellCharCalls(original: string, query: AstQuery): readonly Edit[] {
  const edits: Edit[] = [];
  const open: unknown[] = [query];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    open.push(...(Object.values(node) as unknown[]));
    if (!('kind' in node && node.kind === 'FunctionCall' && 'name' in node && node.name === 'CHR')) continue;
    const { offset: from } = (node as unknown as AstQuery).pos;
    const to = from + 'CHAR'.length;
    if (/^CHAR$/i.test(original.slice(from, to))) edits.push({ from, to, text: 'CHR' });
  }
  return edits;
}
