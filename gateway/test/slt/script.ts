/**
 * Reads sqllogictest scripts (https://sqlite.org/sqllogictest): records parted by blank lines, each a statement or a
 * query with the rows that independent engines agreed on.
 */

/** The engine that we run the corpus as: the one whose `/` on integers does not truncate. */
const ENGINE = 'mysql';

/** Integer division by a keyword, and a type that no other engine knows. */
const ENGINE_ALONE = /\bDIV\b|\bAS\s+UNSIGNED\b/i;

export type SltRecord =
  | { readonly kind: 'Statement'; readonly line: number; readonly sql: string; readonly mustFail: boolean }
  | {
      readonly kind: 'Query';
      readonly line: number;
      readonly sql: string;
      /** One letter a column: I integer, R real, T text. */
      readonly types: string;
      readonly sort: 'nosort' | 'rowsort' | 'valuesort';
      readonly expected: Expected;
    }
  | { readonly kind: 'Skipped'; readonly line: number; readonly reason: string };

export type Expected =
  | { readonly kind: 'Values'; readonly values: readonly string[] }
  | { readonly kind: 'Hash'; readonly count: number; readonly md5: string };

export function readScript(text: string): readonly SltRecord[] {
  const records: SltRecord[] = [];
  let line = 1;
  for (const block of text.replaceAll('\r\n', '\n').split(/\n(?=\n)/)) {
    const lines = block.split('\n');
    const start = line;
    line += lines.length;
    const kept = lines.filter((l) => !l.startsWith('#'));
    while (kept[0] === '') kept.shift();
    const record = readRecord(kept, start);
    if (record === 'halt') break;
    if (record !== null) records.push(record);
  }
  return records;
}

function readRecord(lines: string[], line: number): SltRecord | 'halt' | null {
  let skip: string | null = null;
  while (/^(skipif|onlyif)\b/.test(lines[0] ?? '')) {
    const [word, engine] = lines.shift()!.split(/\s+/);
    if (word === 'skipif' && engine === ENGINE) skip = `skipif ${ENGINE}`;
    if (word === 'onlyif' && engine !== ENGINE) skip = `onlyif ${engine}`;
  }
  if (skip === null && lines.some((l) => ENGINE_ALONE.test(l)))
    skip = `what ${ENGINE} alone has: DIV, UNSIGNED`;
  const [word, first, second] = (lines.shift() ?? '').split(/\s+/);
  if (word === 'halt') return skip === null ? 'halt' : null;
  if (word === '' || word === undefined || word === 'hash-threshold') return null;
  if (skip !== null) return { kind: 'Skipped', line, reason: skip };
  if (word === 'statement') {
    return { kind: 'Statement', line, sql: lines.join('\n').trim(), mustFail: first === 'error' };
  }
  if (word !== 'query') throw new Error(`line ${line}: ${word} is no record`);
  const divider = lines.indexOf('----');
  const sql = lines.slice(0, divider < 0 ? lines.length : divider).join('\n');
  const values = divider < 0 ? [] : lines.slice(divider + 1);
  while (values.at(-1) === '') values.pop();
  const hash = /^(\d+) values hashing to ([0-9a-f]{32})$/.exec(values[0] ?? '');
  return {
    kind: 'Query',
    line,
    sql,
    types: first ?? '',
    sort: second === 'rowsort' || second === 'valuesort' ? second : 'nosort',
    expected:
      hash === null ? { kind: 'Values', values } : { kind: 'Hash', count: Number(hash[1]), md5: hash[2]! },
  };
}
