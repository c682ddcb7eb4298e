/** Bytes as text and back, in PostgreSQL's formats. */
import { boundedText } from '../bounded-text.ts';
import { constantText, quoteText } from '../literal.ts';
import { toText } from '../types/convert.ts';
import { BINARY, TEXT, type Typed } from '../types/sql-type.ts';
import { at, type Writer } from './writer.ts';
import { given } from '../named.ts';

/** A text's own bytes, as PostgreSQL has it of a text that is no `\x…`. */
const bytesOf = (value: Typed): string =>
  value.type.kind === 'binary' ? value.sql : `encode(${toText(value).sql})`;

/** A digest in hexadecimal digits. */
export const digest =
  (name: 'md5' | 'sha256'): Writer =>
  (values) => ({ sql: `${name}(${bytesOf(at(values, 0))})`, type: TEXT });

const formatOf = (value: Typed): string => (constantText(value.sql) ?? '').toLowerCase();

/** PostgreSQL breaks lines after 76 characters, but not after a last one that is filled up. */
const LINE = "'([A-Za-z0-9+/]{76})', '\\1' || chr(10), 'g'";

export const encoded: Writer = (values, budget) => {
  const bytes = bytesOf(at(values, 0));
  switch (formatOf(at(values, 1))) {
    case 'hex':
      return boundedText(`lower(hex(${bytes}))`, budget);
    case 'base64':
      return boundedText(`regexp_replace(to_base64(${bytes}), ${LINE})`, budget);
    case 'escape':
      return boundedText(`ps_escaped_bytes(${bytes})`, budget);
    default:
      return { sql: 'CAST(NULL AS VARCHAR)', type: TEXT };
  }
};

export const decoded: Writer = (values, budget) => {
  const text = boundedText(toText(at(values, 0)).sql, budget).sql;
  const plain = `regexp_replace(${text}, '\\s', '', 'g')`;
  const checked = (pattern: string, said: string, made: string): string =>
    given(
      'v',
      plain,
      `CASE WHEN regexp_full_match(v, '${pattern}') THEN ${made} WHEN v IS NOT NULL THEN error(${quoteText(said)}) END`,
    );
  const sql = {
    hex: checked(
      '(?:[0-9a-fA-F]{2})*',
      'DECODE of what are no hexadecimal digits, two for each byte',
      'unhex(v)',
    ),
    base64: checked(
      '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?',
      'DECODE of what is no base64',
      'from_base64(v)',
    ),
    escape: `ps_bytes_of_escaped(${text})`,
  }[formatOf(at(values, 1))];
  return { sql: sql ?? 'CAST(NULL AS BLOB)', type: BINARY };
};
