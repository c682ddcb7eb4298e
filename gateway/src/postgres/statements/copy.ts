/** `COPY (SELECT …) TO STDOUT`, as text or CSV. */
import { PgError } from '../errors/pg-error.ts';
import type { StatementReader } from './reader.ts';
import { writes } from './refused.ts';
import type { CopyFormat, Statement } from './statement.ts';

interface Options {
  csv: boolean;
  header: boolean;
  delimiter?: string;
  nullText?: string;
  quote: string;
}

const unsupported = (what: string): PgError =>
  new PgError({
    code: '0A000',
    message: `COPY: ${what} is not supported`,
    hint: 'options are FORMAT text or csv, HEADER, DELIMITER, NULL, QUOTE and ENCODING',
  });

function oneCharacter(text: string | undefined, option: string): string {
  if (text?.length === 1) return text;
  throw new PgError({ code: '22023', message: `COPY ${option} must be a single one-byte character` });
}

type SetOption = (found: Options, value: () => string | undefined, isSaid: boolean) => void;

const OPTIONS: ReadonlyMap<string, SetOption> = new Map<string, SetOption>([
  [
    'format',
    (found, value) => {
      const format = value();
      if (format !== 'text' && format !== 'csv') throw unsupported(`FORMAT ${format ?? ''}`);
      found.csv = format === 'csv';
    },
  ],
  ['csv', (found) => void (found.csv = true)],
  [
    'header',
    (found, value, isSaid) =>
      void (found.header = isSaid ? ['true', 'on', '1'].includes(value() ?? '') : true),
  ],
  ['delimiter', (found, value) => void (found.delimiter = oneCharacter(value(), 'delimiter'))],
  ['null', (found, value) => void (found.nullText = value() ?? '')],
  ['quote', (found, value) => void (found.quote = oneCharacter(value(), 'quote'))],
  [
    'encoding',
    (_, value) => {
      if (value()?.toLowerCase().replace('-', '') !== 'utf8') throw unsupported('an encoding but UTF8');
    },
  ],
]);

/** `(FORMAT csv, HEADER …)`, or the older form without parentheses. */
function options(reader: StatementReader): Options {
  const found: Options = { csv: false, header: false, quote: '"' };
  reader.words('with');
  const isList = reader.symbol('(');
  const value = (): string | undefined => {
    reader.words('as');
    return reader.take()?.text;
  };
  while (reader.peek !== undefined && !(isList && reader.symbol(')'))) {
    const option = reader.name();
    const set = OPTIONS.get(option);
    if (set === undefined) throw unsupported(option.toUpperCase());
    set(found, value, isList && ![',', ')'].includes(reader.peek?.text ?? ','));
    if (isList) reader.symbol(',');
  }
  reader.end();
  return found;
}

/** The text between parentheses, from the next token on. */
function parenthesized(reader: StatementReader): string {
  const start = reader.peek?.start ?? 0;
  let depth = 0;
  for (let token = reader.take(); token !== undefined; token = reader.take()) {
    if (token.kind !== 'symbol') continue;
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    if (depth === 0) return reader.sql.slice(start + 1, token.start).trim();
  }
  throw reader.wrong();
}

/** A table with its columns, as a SELECT. */
function tableSelect(reader: StatementReader): string {
  const start = reader.peek?.start ?? 0;
  let end = start;
  do {
    reader.name();
    end = reader.peek?.start ?? reader.sql.length;
  } while (reader.symbol('.'));
  const table = reader.sql.slice(start, end).trim();
  const columns = reader.peek?.text === '(' ? parenthesized(reader) : '*';
  return `SELECT ${columns} FROM ${table}`;
}

const TO_FILE: Statement = Object.freeze({
  kind: 'refused',
  code: '0A000',
  message: 'COPY to a file or a program is not supported',
  hint: "use COPY … TO STDOUT; psql's \\copy writes it to a file of yours",
});

export function readCopy(reader: StatementReader): Statement {
  const sql = reader.peek?.text === '(' ? parenthesized(reader) : tableSelect(reader);
  if (reader.words('from')) return writes('COPY FROM');
  if (!reader.words('to')) throw reader.wrong();
  if (!reader.words('stdout')) return TO_FILE;
  const { csv, header, delimiter, nullText, quote } = options(reader);
  const format: CopyFormat = {
    ...{ csv, header, quote },
    delimiter: delimiter ?? (csv ? ',' : '\t'),
    nullText: nullText ?? (csv ? '' : '\\N'),
  };
  return { kind: 'copyOut', sql, format };
}
