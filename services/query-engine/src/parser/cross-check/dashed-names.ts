import type { Token } from '../lexer/token.ts';
import type { Edit } from './duckdb-text.ts';

const ENDS_FROM = new Set(
  'WHERE GROUP HAVING WINDOW QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT SELECT'.split(' '),
);

/** What stands before the command TABLE, where a query begins. */
const BEFORE_TABLE = new Set(['(', ')', 'UNION', 'INTERSECT', 'EXCEPT', 'ALL', 'DISTINCT']);

/** Where the tokens of one bracket level stand: `item` is where a table's name can start. */
type Place = 'before' | 'select' | 'item' | 'from';

/** Puts table names that have dashes into double quotes: `my-table`, `s.my-table.v1`, `s.t.my-index`. */
export function dashedTableNames(tokens: readonly Token[]): readonly Edit[] {
  const edits: Edit[] = [];
  const places: Place[] = ['before'];
  /** The levels that start with WITH. */
  const withAt = new Set<number>();
  tokens.forEach((token, index) => {
    const place = places.at(-1) ?? 'before';
    const { upper } = token;
    const set = (next: Place): void => void (places[places.length - 1] = next);
    if (upper === '(' || upper === '[') {
      if (place === 'item') set('from');
      places.push(place === 'item' ? 'item' : 'before');
    } else if (upper === ')' || upper === ']') {
      withAt.delete(places.length);
      places.pop();
    } else if (upper === 'WITH' && place === 'before') {
      withAt.add(places.length);
    } else if (upper === 'SELECT') {
      set('select');
    } else if (ENDS_FROM.has(upper) && place !== 'before') {
      set('select');
    } else if (upper === 'FROM' && startsItems(tokens, index, place, withAt.has(places.length))) {
      set('item');
    } else if (upper === 'TABLE' && BEFORE_TABLE.has(tokens[index - 1]?.upper ?? '(')) {
      set('item');
    } else if (place === 'from' && (upper === 'JOIN' || upper === ',')) {
      set('item');
    } else if (place === 'item' && upper === 'VALUES' && tokens[index + 1]?.upper === '(') {
      // Rows follow, with commas between them, and no tables.
      set('select');
    } else if (place === 'item') {
      edits.push(...quoteName(tokens, index));
      set('from');
    }
  });
  return edits;
}

/** The FROM of a SELECT, and one that a query starts with; not that of `EXTRACT(x FROM y)` or IS DISTINCT FROM. */
function startsItems(tokens: readonly Token[], index: number, place: Place, isAfterWith: boolean): boolean {
  if (place === 'select') return !isDistinctFrom(tokens, index);
  const before = tokens[index - 1]?.upper;
  if (before === '(') return place === 'item' || (place === 'before' && tokens[index - 2]?.upper !== 'TRIM');
  return place === 'before' && (before === undefined || (before === ')' && isAfterWith));
}

const isDistinctFrom = (tokens: readonly Token[], index: number): boolean =>
  tokens[index - 1]?.upper === 'DISTINCT' && ['IS', 'NOT'].includes(tokens[index - 2]?.upper ?? '');

/** A part of a table's name, as dots part it. */
interface NamePart {
  readonly text: string;
  readonly quoted: boolean;
  readonly dashed: boolean;
}

/**
 * The schema's dot is the first. The next part is the table: with a dash, it goes on over dots up to a quoted part, which is
 * an index; without one, what follows is the index.
 */
function quoteName(tokens: readonly Token[], start: number): readonly Edit[] {
  const parts: NamePart[] = [];
  let end = start;
  do {
    if (parts.length > 0) end++;
    const from = end++;
    const quoted = tokens[from]?.type === 'name';
    while (!quoted && tokens[end]?.upper === '-' && touches(tokens, end) && touches(tokens, end + 1))
      end += 2;
    const run = tokens.slice(from, end);
    const text = run.map((token) => token.text).join('');
    parts.push({ text, quoted, dashed: run.length > 1 });
  } while (tokens[end]?.upper === '.');
  const first = tokens[start];
  const last = tokens[end - 1];
  if (first === undefined || last === undefined || !parts.some(({ dashed }) => dashed)) return [];
  const [one, table, ...more] = parts;
  const names = one === undefined ? [] : [one];
  if (table !== undefined) {
    const dotted = table.dashed ? more.findIndex(({ quoted }) => quoted) : 0;
    const own = dotted < 0 ? more : more.slice(0, dotted);
    const text = [table, ...own].map((part) => part.text).join('.');
    names.push({ ...table, text }, ...more.slice(own.length));
  }
  const text = names.map((part) => (part.quoted ? part.text : `"${part.text}"`)).join('.');
  return [{ from: first.position.offset, to: last.end, text }];
}

const touches = (tokens: readonly Token[], index: number): boolean => {
  const token = tokens[index];
  return token !== undefined && token.type !== 'end' && !token.spaceBefore;
};
