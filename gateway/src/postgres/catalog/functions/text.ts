import { quoteText } from '../binder/bound.ts';
import { bindError, unsupported } from '../binder/errors.ts';
import { splitName } from '../binder/object-names.ts';
import { textOf } from '../binder/text-of.ts';
import { REPEATED_BYTES_MAX } from '../limits.ts';
import { argument, lookUp, raise, type Call, type Implementations } from './call.ts';
import { duckdbPattern } from './patterns.ts';

const tooLong = raise('54000', `a text would have more than ${REPEATED_BYTES_MAX} bytes`);

const bounded = (bytes: string, sql: string): string =>
  `CASE WHEN ${bytes} > ${REPEATED_BYTES_MAX} THEN ${tooLong} ELSE ${sql} END`;

/** Texts of arguments of any type. */
const texts = (call: Call, from: number): readonly string[] =>
  call.args.slice(from).map((arg) => textOf(call.context, { ...arg, sql: `(${arg.sql})` }));

/** A pattern that is written out: PostgreSQL's expressions differ from DuckDB's in few places. */
export function patternOf(call: Call, index: number): string {
  const literal = call.given[index]?.literal;
  return typeof literal === 'string' ? quoteText(duckdbPattern(literal, call.at)) : argument(call, index);
}

const flagsOf = (call: Call, index: number): string => {
  const given = call.given[index];
  if (given === undefined) return '';
  if (typeof given.literal !== 'string')
    throw unsupported('a computed flag of a regular expression', call.at);
  return given.literal;
};

const options = (flags: string): string => `'s${/i/.test(flags) ? 'i' : ''}${/g/.test(flags) ? 'g' : ''}'`;

/** `\1` is a group in both; `\&` is all of it. */
const replacement = (sql: string): string => `replace(${sql}, '\\&', '\\0')`;

/** Quoted where it has to be: as `quote_ident` does. */
const quoteIdent = (call: Call, sql: string): string => {
  const alias = call.context.budget.nextAlias('n');
  const keywords = call.context.names.lookup.keywords;
  return `CASE WHEN regexp_full_match(${sql}, '[a-z_][a-z0-9_]*') AND ${sql} NOT IN (SELECT ${alias}.word FROM ${keywords} ${alias}) THEN ${sql} ELSE '"' || replace(${sql}, '"', '""') || '"' END`;
};

const quoteLiteral = (sql: string): string =>
  `CASE WHEN contains(${sql}, '\\') THEN 'E' ELSE '' END || '''' || replace(replace(${sql}, '''', ''''''), '\\', '\\\\') || ''''`;

/** `%I`, `%L`, `%s` of a format that is written out. */
function format(call: Call): string {
  const literal = call.given[0]?.literal;
  if (typeof literal !== 'string') throw unsupported('a computed format', call.at);
  const given = texts(call, 1);
  let next = 0;
  const parts = literal.split(/(%(?:\d+\$)?[ILs%])/).map((part) => {
    const found = /^%(?:(\d+)\$)?([ILs%])$/.exec(part);
    if (found === null) return quoteText(part);
    if (found[2] === '%') return "'%'";
    const index = found[1] === undefined ? next++ : Number(found[1]) - 1;
    const value = given[index];
    if (value === undefined) throw bindError('22023', 'too few arguments for format()', call.at);
    if (found[2] === 'I') return quoteIdent(call, value);
    return found[2] === 'L' ? `coalesce(${quoteLiteral(value)}, 'NULL')` : `coalesce(${value}, '')`;
  });
  return `(${parts.join(' || ')})`;
}

/** By their numbers. */
const ENCODINGS =
  'SQL_ASCII EUC_JP EUC_CN EUC_KR EUC_TW EUC_JIS_2004 UTF8 MULE_INTERNAL LATIN1 LATIN2 LATIN3 LATIN4 LATIN5 LATIN6 LATIN7 LATIN8 LATIN9 LATIN10 WIN1256 WIN1258 WIN866 WIN874 KOI8R WIN1251 WIN1252 ISO_8859_5 ISO_8859_6 ISO_8859_7 ISO_8859_8 WIN1250 WIN1253 WIN1254 WIN1255 WIN1257 KOI8U SJIS BIG5 GBK UHC GB18030 JOHAB SHIFT_JIS_2004'.split(
    ' ',
  );

export const TEXT_FUNCTIONS: Implementations = {
  lower: 'lower($1)',
  upper: 'upper($1)',
  initcap: `array_to_string(list_transform(string_split($1, ' '), lambda w: upper(w[1]) || lower(w[2:])), ' ')`,
  length: 'length($1)',
  char_length: 'length($1)',
  character_length: 'length($1)',
  octet_length: 'strlen($1)',
  bit_length: '8 * strlen($1)',
  reverse: 'reverse($1)',
  ascii: 'ascii($1)',
  chr: 'chr($1)',
  md5: 'md5($1)',
  strpos: 'strpos($1, $2)',
  position: 'strpos($1, $2)',
  starts_with: 'starts_with($1, $2)',
  left: 'left($1, $2)',
  right: 'right($1, $2)',
  substring: (call) => {
    if (call.args[1]?.type === 25)
      return `nullif(regexp_extract(${argument(call, 0)}, ${patternOf(call, 1)}, ${/\((?!\?)/.test(patternOf(call, 1)) ? 1 : 0}), '')`;
    return substring(call);
  },
  substr: (call) => substring(call),
  replace: (call) => {
    const [text, from, to] = [argument(call, 0), argument(call, 1), argument(call, 2)];
    return `CASE WHEN ${from} = '' THEN ${text} ELSE ${bounded(`strlen(${text}) * (1 + strlen(${to}))`, `replace(${text}, ${from}, ${to})`)} END`;
  },
  translate: 'translate($1, $2, $3)',
  btrim: 'trim($*)',
  ltrim: 'ltrim($*)',
  rtrim: 'rtrim($*)',
  lpad: (call) =>
    bounded(
      `${argument(call, 1)} * 4`,
      `lpad(${argument(call, 0)}, greatest(${argument(call, 1)}, 0), ${call.args[2]?.sql ?? "' '"})`,
    ),
  rpad: (call) =>
    bounded(
      `${argument(call, 1)} * 4`,
      `rpad(${argument(call, 0)}, greatest(${argument(call, 1)}, 0), ${call.args[2]?.sql ?? "' '"})`,
    ),
  repeat: (call) =>
    bounded(
      `CAST(strlen(${argument(call, 0)}) AS BIGINT) * ${argument(call, 1)}`,
      `repeat(${argument(call, 0)}, ${argument(call, 1)})`,
    ),
  split_part: 'split_part($1, $2, $3)',
  concat: (call) => `concat(${texts(call, 0).join(', ')})`,
  concat_ws: (call) => `concat_ws(${argument(call, 0)}, ${texts(call, 1).join(', ')})`,
  format,
  quote_ident: (call) => quoteIdent(call, argument(call, 0)),
  quote_literal: (call) => quoteLiteral(texts(call, 0)[0] ?? 'NULL'),
  quote_nullable: (call) => `coalesce(${quoteLiteral(texts(call, 0)[0] ?? 'NULL')}, 'NULL')`,
  regexp_replace: (call) => {
    const flags = call.given.length > 3 ? flagsOf(call, 3) : '';
    return `regexp_replace(${argument(call, 0)}, ${patternOf(call, 1)}, ${replacement(argument(call, 2))}, ${options(flags)})`;
  },
  regexp_match: (call) => {
    const pattern = patternOf(call, 1);
    const groups = [...pattern.matchAll(/\\.|\((?!\?)/g)].filter(([found]) => found === '(').length;
    const all = groups === 0 ? [0] : Array.from({ length: groups }, (_, i) => i + 1);
    const text = argument(call, 0);
    const parts = all.map(
      (group) => `regexp_extract(${text}, ${pattern}, ${group}, ${options(flagsOf(call, 2))})`,
    );
    return `CASE WHEN regexp_matches(${text}, ${pattern}, ${options(flagsOf(call, 2))}) THEN [${parts.join(', ')}] END`;
  },
  regexp_matches: (call) =>
    `list_transform(regexp_extract_all(${argument(call, 0)}, ${patternOf(call, 1)}), lambda v: [v])`,
  regexp_split_to_array: (call) => `string_split_regex(${argument(call, 0)}, ${patternOf(call, 1)})`,
  regexp_split_to_table: (call) => `string_split_regex(${argument(call, 0)}, ${patternOf(call, 1)})`,
  string_to_table: 'string_split($1, $2)',
  string_to_array: (call) => {
    const [text, by] = [argument(call, 0), argument(call, 1)];
    const parts = `CASE WHEN ${text} = '' THEN CAST([] AS VARCHAR[]) ELSE string_split(${text}, ${by}) END`;
    return call.args.length < 3
      ? parts
      : `list_transform(${parts}, lambda v: nullif(v, ${argument(call, 2)}))`;
  },
  parse_ident: (call) => {
    const literal = call.given[0]?.literal;
    if (typeof literal !== 'string') throw unsupported('a computed name', call.at);
    return `CAST([${splitName(literal, call.at).map(quoteText).join(', ')}] AS VARCHAR[])`;
  },
  name: '$1',
  text: (call) => texts(call, 0)[0] ?? 'NULL',
  pg_size_pretty: (call) => {
    const size = `CAST(${argument(call, 0)} AS BIGINT)`;
    const units: readonly (readonly [string, number])[] = [['kB', 1], ['MB', 2], ['GB', 3], ['TB', 4]]; // prettier-ignore
    const steps = units.map(([unit, power], i) => {
      const last = i === units.length - 1;
      const shown = `CAST((${size} + ${1024 ** power / 2}) // ${1024 ** power} AS VARCHAR) || ' ${unit}'`;
      return last
        ? `ELSE ${shown}`
        : `WHEN abs(${size}) < ${(10 * 1024 - 0.5) * 1024 ** power} THEN ${shown}`;
    });
    return `CASE WHEN abs(${size}) < 10240 THEN CAST(${size} AS VARCHAR) || ' bytes' ${steps.join(' ')} END`;
  },
  pg_encoding_to_char: (call) => {
    const names = ENCODINGS.map((name, i) => `WHEN ${i} THEN '${name}'`);
    return `CASE ${argument(call, 0)} ${names.join(' ')} ELSE '' END`;
  },
  pg_char_to_encoding: (call) => {
    const numbers = ENCODINGS.map((name, i) => `WHEN '${name}' THEN ${i}`);
    return `CASE replace(upper(${argument(call, 0)}), 'UTF-8', 'UTF8') ${numbers.join(' ')} ELSE -1 END`;
  },
  getdatabaseencoding: "'UTF8'",
  pg_client_encoding: "'UTF8'",
  format_type: (call) => formatType(call),
};

function substring(call: Call): string {
  const [text, from] = [argument(call, 0), argument(call, 1)];
  if (call.args.length < 3) return `substring(${text}, greatest(${from}, 1))`;
  return `substring(${text}, greatest(${from}, 1), greatest(${argument(call, 2)} + least(${from} - 1, 0), 0))`;
}

/** The type's name, with the length or the digits that the modifier says. */
function formatType(call: Call): string {
  const oid = argument(call, 0);
  const name = `coalesce(${lookUp(call, 'type_names', 'formatted', oid)}, CASE WHEN ${oid} = 0 THEN '-' ELSE '???' END)`;
  const literal = call.args[1]?.sql;
  if (literal === undefined || /^CAST\((NULL|-1) AS \w+\)$/.test(literal))
    return `CASE WHEN ${oid} IS NOT NULL THEN ${name} END`;
  const modifier = argument(call, 1);
  const digits = `CASE WHEN ${oid} IN (1700, 1231) THEN CAST(((${modifier} - 4) >> 16) & 65535 AS VARCHAR) || ',' || CAST((${modifier} - 4) & 2047 AS VARCHAR) WHEN ${oid} IN (1042, 1043, 1014, 1015) THEN CAST(${modifier} - 4 AS VARCHAR) ELSE CAST(${modifier} AS VARCHAR) END`;
  const known = '(1042, 1043, 1700, 1014, 1015, 1231, 1560, 1562, 1083, 1114, 1184, 1266)';
  return `CASE WHEN ${oid} IS NULL THEN NULL WHEN ${modifier} >= 0 AND ${oid} IN ${known} THEN regexp_replace(${name}, '^([a-z]+( varying)?)', '\\1(' || ${digits} || ')') ELSE ${name} END`;
}
