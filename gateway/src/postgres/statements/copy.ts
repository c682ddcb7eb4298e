/** `COPY (SELECT …) TO STDOUT`, as text or CSV. */
import { PgError } from '../errors/pg-error.ts';
import type { StatementReader } from './reader.ts';
import { OTHER, type CopyFormat, type Statement } from './statement.ts';

interface Options {
  binary: boolean;
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
    hint: 'options are FORMAT text, csv or binary, HEADER, DELIMITER, NULL, QUOTE and ENCODING',
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
      if (format !== 'text' && format !== 'csv' && format !== 'binary')
        throw unsupported(`FORMAT ${format ?? ''}`);
      found.csv = format === 'csv';
      found.binary = format === 'binary';
    },
  ],
  ['csv', (found) => void (found.csv = true)],
  ['binary', (found) => void (found.binary = true)],
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
  const found: Options = { binary: false, csv: false, header: false, quote: '"' };
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

/** A table with its columns, as a SELECT. */
function tableSelect(reader: StatementReader): string {
  const start = reader.peek?.start ?? 0;
  let end = start;
  do {
    reader.name();
    end = reader.peek?.start ?? reader.sql.length;
  } while (reader.symbol('.'));
  const table = reader.sql.slice(start, end).trim();
  const columns = reader.peek?.text === '(' ? reader.parenthesized() : '*';
  return `SELECT ${columns} FROM ${table}`;
}

const TO_FILE = new PgError({
  code: '0A000',
  message: 'COPY to a file or a program is not supported',
  hint: "use COPY … TO STDOUT; psql's \\copy writes it to a file of yours",
});

const PLAIN: Options = Object.freeze({ binary: false, csv: false, header: false, quote: '"' });

/** The options of a COPY over tables, and why it cannot be had with them. */
function format(reader: StatementReader): { readonly format: CopyFormat; readonly refusal: PgError | null } {
  let refusal: PgError | null = null;
  let found = PLAIN;
  try {
    if (reader.words('stdout')) found = options(reader);
    else refusal = TO_FILE;
  } catch (error) {
    if (!(error instanceof PgError)) throw error;
    refusal = error;
  }
  const { binary, csv, header, quote, delimiter, nullText } = found;
  return {
    format: {
      ...{ binary, csv, header, quote },
      delimiter: delimiter ?? (csv ? ',' : '\t'),
      nullText: nullText ?? (csv ? '' : '\\N'),
    },
    refusal,
  };
}

export function readCopy(reader: StatementReader): Statement {
  // The form of version 7: what it copies would be taken for a name.
  const isBinary = reader.peek?.text !== '(' && reader.words('binary');
  const sql = reader.peek?.text === '(' ? reader.parenthesized() : tableSelect(reader);
  // PostgreSQL says what there is to say of it.
  if (reader.words('from')) return OTHER;
  if (!reader.words('to')) throw reader.wrong();
  const { format: said, refusal } = format(reader);
  return { kind: 'copyOut', sql, format: { ...said, binary: said.binary || isBinary }, refusal };
}
