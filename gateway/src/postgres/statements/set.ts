/** SET, in all its forms. */
import type { StatementReader } from './reader.ts';
import type { Statement } from './statement.ts';

/** Values behind `=` or TO, those of a list joined as lists are written; null: DEFAULT. */
function values(reader: StatementReader): string | null {
  if (reader.words('default')) {
    reader.end();
    return null;
  }
  const parts: string[] = [];
  do {
    const negative = reader.symbol('-');
    const token = reader.peek;
    if (token === undefined || token.kind === 'symbol' || token.kind === 'parameter') throw reader.wrong();
    reader.take();
    // A list keeps the quotes of names that need them: search_path is read again.
    const text = token.kind === 'quoted' ? `"${token.text.replaceAll('"', '""')}"` : token.text;
    parts.push(negative ? `-${text}` : text);
  } while (reader.symbol(','));
  reader.end();
  return parts.join(', ');
}

const nothing = (tag: string): Statement => ({ kind: 'setNothing', tag });

export function readSet(reader: StatementReader): Statement {
  if (reader.words('session', 'characteristics') || reader.words('transaction')) return nothing('SET');
  if (reader.words('constraints')) return nothing('SET CONSTRAINTS');
  if (reader.words('session', 'authorization', 'default')) return nothing('SET');
  const isLocal = reader.words('local');
  if (!isLocal) reader.words('session');
  const set = (name: string): Statement => ({ kind: 'set', name, value: values(reader), isLocal });
  if (reader.words('time', 'zone'))
    return reader.words('local') ? { kind: 'set', name: 'timezone', value: null, isLocal } : set('timezone');
  if (reader.words('names')) return set('client_encoding');
  const first = reader.name();
  const name = reader.symbol('.') ? `${first}.${reader.name()}` : first;
  if (!reader.symbol('=') && !reader.words('to')) throw reader.wrong();
  return set(name.toLowerCase());
}
