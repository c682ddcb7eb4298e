/** Scalar functions that take more than a name or a template: each is bounded, exact or typed in a way of its own. */
import type { OwnWriter } from '../../logical/functions/definition.ts';
import { fromPostgresFormat } from '../../logical/functions/postgres-format.ts';
import { commonType } from '../types/common-type.ts';
import { convertTo, toBoolean, toNumber, toTemporal, toText } from '../types/convert.ts';
import {
  BOOLEAN,
  JSON_TYPE,
  TEXT,
  duckdbType,
  integer,
  isNumber,
  temporal,
  typeLabel,
  valueWithin,
  type SqlType,
  type Typed,
} from '../types/sql-type.ts';
import { writeArithmetic, writeQuotient } from '../arithmetic.ts';
import {
  NEEDLE_PAIRS,
  SHORT_NEEDLE,
  boundedPairs,
  boundedText,
  concatenated,
  joinedElements,
  padded,
  regexReplaced,
  repeated,
  replaced,
} from '../bounded-text.ts';
import { compare } from '../comparison.ts';
import { documentOf, documentText, jsonText } from '../json.ts';
import { constantText, quoteText } from '../literal.ts';
import { MixedKind } from '../macros.ts';
import { given } from '../named.ts';
import { boundedMatch } from '../regex-cost.ts';
import type { TextBudget } from '../text-budget.ts';
import { decoded, digest, encoded } from './bytes.ts';
import { arrayPosition } from './array-position.ts';
import { contains, hasNames, overlap } from './containment.ts';
import { elementsBetween, jsonExtractPath, jsonGet } from './document-steps.ts';
import { regexMatch, regexSplit } from './regex-parts.ts';
import { rounding } from './rounding.ts';
import { sequence } from './sequence.ts';
import { toChar } from './to-char.ts';
import { numberToChar } from './to-char-number.ts';
import { widthBucket } from './width-bucket.ts';
import { at, type Writer } from './writer.ts';

/** A constant format of PostgreSQL's, which the binder has looked at, as DuckDB's. */
function formatOf(format: Typed | undefined): string {
  const text = format === undefined ? null : constantText(format.sql);
  const made = text === null ? null : fromPostgresFormat(text);
  return typeof made === 'string' ? quoteText(made) : 'NULL';
}

const parsed = (values: readonly Typed[]): string =>
  `strptime(${toText(at(values, 0)).sql}, ${formatOf(values[1])})`;

/** All arguments as the type that they have in common. */
function inCommon(values: readonly Typed[]): { sql: string[]; type: SqlType } {
  const type = commonType(values.map((value) => value.type));
  return { sql: values.map((value) => convertTo(value, type).sql), type };
}

function spread(name: string): Writer {
  return (values) => {
    const { sql, type } = inCommon(values);
    return { sql: `${name}(${sql.join(', ')})`, type };
  };
}

/**
 * The greatest or the least value; dates and times as such also where some are texts, since an item has no others. The value
 * itself comes out, as it was.
 */
function extreme(aggregate: 'max' | 'min'): Writer {
  const plain = spread(aggregate === 'max' ? 'greatest' : 'least');
  return (values, budget) => {
    const common = commonType(values.map(({ type }) => type));
    const times = values.flatMap(({ type }) => (type.kind === 'temporal' ? [type.sql] : []));
    const isInstant = times.every((sql) => sql !== 'TIME' && sql !== 'INTERVAL');
    if (common.kind !== 'mixed' || times.length === 0 || !isInstant) return plain(values, budget);
    const field = `STRUCT(k TIMESTAMP, v ${duckdbType(common)})`;
    const pairs = values.map(
      (value) => `CAST(row(${toTemporal(value, 'TIMESTAMP')}, ${convertTo(value, common).sql}) AS ${field})`,
    );
    const present = `list_filter([${pairs.join(', ')}], lambda p: p.k IS NOT NULL)`;
    return { sql: `(list_aggregate(${present}, '${aggregate}')).v`, type: common };
  };
}

function typeName(value: Typed): string {
  if (value.type.kind !== 'mixed' || value.type.onlyNumbers) return `${quoteText(typeLabel(value.type))}`;
  return (
    `CASE (${value.sql}).k WHEN 1 THEN 'NUMBER' WHEN 2 THEN 'VARCHAR' WHEN 3 THEN 'BOOLEAN' ` +
    `WHEN 4 THEN 'BLOB' WHEN 5 THEN 'JSON' WHEN 6 THEN 'TIMESTAMP' ELSE 'NULL' END`
  );
}

/** Of a binary value its bytes, by whatever name it is asked for. */
const octetLength: Writer = (values) => {
  const value = at(values, 0);
  const sql = value.type.kind === 'binary' ? `octet_length(${value.sql})` : `strlen(${toText(value).sql})`;
  return { sql, type: integer(18) };
};

/** Of a text its characters, of a list its elements: a mixed value by what it is. */
const length: Writer = (values, budget) => {
  const value = at(values, 0);
  switch (value.type.kind) {
    case 'binary':
      return octetLength(values, budget);
    case 'json':
      return { sql: `ps_parts_count(${value.sql})`, type: integer(18) };
    case 'mixed':
      return {
        sql: byDocument(
          value,
          (d) => `ps_parts_count(${d})`,
          (t) => `length(${t})`,
        ),
        type: integer(18),
      };
    default:
      return { sql: `length(${toText(value).sql})`, type: integer(18) };
  }
};

/** A mixed value as a document, where it is one, and else as its text. */
function byDocument(value: Typed, ofDocument: (d: string) => string, ofText: (t: string) => string): string {
  const made = `CASE WHEN m.k = ${MixedKind.JSON} THEN ${ofDocument('m.t')} ELSE ${ofText('m.t')} END`;
  return given('m', value.sql, made);
}

/** A search for one text in another. */
function searched(name: string, text: Typed, needle: Typed, budget: TextBudget): string {
  const options = { times: NEEDLE_PAIRS, short: SHORT_NEEDLE };
  return boundedPairs([text, needle], budget, (a, b) => `${name}(${a}, ${b})`, options);
}

/** Parts of a text as a JSON list, or what is made of them. */
function split(
  text: Typed,
  separator: Typed,
  budget: TextBudget,
  made: (parts: string, text: string, separator: string) => string,
): string {
  const options = { times: NEEDLE_PAIRS, short: SHORT_NEEDLE };
  return boundedPairs(
    [text, separator],
    budget,
    (a, b) => made(`to_json(string_split(${a}, ${b}))`, a, b),
    options,
  );
}

/** NULL parts all characters. */
const separatorOf = (values: readonly Typed[]): Typed =>
  at(values, 1).type.kind === 'null' ? { sql: "''", type: TEXT } : at(values, 1);

/** A JSON list of texts, NULL for those that are the given one. */
function withNulls(list: string, text: Typed | undefined): string {
  if (text === undefined || text.type.kind === 'null') return list;
  const part = `CASE WHEN e = ${toText(text).sql} THEN NULL ELSE e END`;
  return `to_json(list_transform(from_json(${list}, '["VARCHAR"]'), lambda e: ${part}))`;
}

const NULL_NAME = `error(${quoteText('a name in JSON_BUILD_OBJECT is NULL')})`;

/** A writer that is missing here, or that no record names, does not compile. */
export const OWN_WRITERS: Readonly<Record<OwnWriter, Writer>> = Object.freeze({
  ARRAYS_OVERLAP: overlap,
  ARRAY_POSITION: arrayPosition,
  WIDTH_BUCKET: widthBucket,
  DECODE: decoded,
  ENCODE: encoded,
  MD5: digest('md5'),
  SHA256: digest('sha256'),
  ELEMENTS: elementsBetween,
  JSONB_CONTAINS: contains,
  JSONB_EXISTS: hasNames('one'),
  JSONB_EXISTS_ALL: hasNames('all'),
  JSONB_EXISTS_ANY: hasNames('any'),
  JSON_EXTRACT_PATH: jsonExtractPath,
  JSON_EXTRACT_PATH_TEXT: (values) => toText(jsonExtractPath(values)),
  JSON_GET: jsonGet,
  JSON_TYPEOF: ([value = at([], 0)]) => ({
    sql: `ps_json_typeof(${value.type.kind === 'text' && constantText(value.sql) !== null ? value.sql : jsonText(value)})`,
    type: TEXT,
  }),
  REGEXP_MATCH: regexMatch,
  REGEXP_SPLIT_TO_ARRAY: regexSplit,
  SEQUENCE: sequence,
  COALESCE: spread('coalesce'),
  GREATEST: extreme('max'),
  LEAST: extreme('min'),
  NULLIF: (values) => {
    const [a, b] = [at(values, 0), at(values, 1)];
    return { sql: `CASE WHEN ${compare('=', a, b)} THEN NULL ELSE ${a.sql} END`, type: a.type };
  },
  IF: (values) => {
    const { sql, type } = inCommon(values.slice(1));
    return { sql: `CASE WHEN ${toBoolean(at(values, 0)).sql} THEN ${sql[0]} ELSE ${sql[1]} END`, type };
  },
  MOD: (values) => writeArithmetic('%', at(values, 0), at(values, 1)),
  DIV: (values) => writeQuotient(at(values, 0), at(values, 1)),
  ABS: (values) => {
    const number = toNumber(at(values, 0));
    return { sql: `abs(${number.sql})`, type: number.type };
  },
  CEIL: rounding('ceil'),
  FLOOR: rounding('floor'),
  ROUND: rounding('round'),
  TRUNC: rounding('trunc'),
  CONCAT: concatenated,
  CONCAT_WS: (values, budget) =>
    boundedText(`concat_ws(${values.map((v) => toText(v).sql).join(', ')})`, budget),
  REPEAT: repeated,
  LPAD: (values, budget) => padded('lpad', values, budget),
  RPAD: (values, budget) => padded('rpad', values, budget),
  REPLACE: replaced,
  REGEXP_REPLACE: regexReplaced,
  JSON_EXTRACT: (values) => {
    // A path with a star finds several, as a list.
    const [document, path] = [at(values, 0), toText(at(values, 1))];
    const found = `to_json(json_extract(ps_kept_digits(${documentOf(document).sql}), ${path.sql}))`;
    // Named once, so that one within another does not double it.
    return {
      sql: given('j', found, 'ps_mixed_of_step(j)'),
      type: valueWithin(document.type),
    };
  },
  JSON_ARRAY_LENGTH: (values) => {
    const [whole, path] = [documentOf(at(values, 0)).sql, values[1]];
    const counted = path === undefined ? whole : `json_extract(${whole}, ${toText(path).sql})`;
    return { sql: `ps_parts_count(${counted})`, type: integer(18) };
  },
  ELEMENT_AT: (values) => {
    const document = documentText(at(values, 0));
    const step = `json_extract(ps_kept_digits(${document}), ps_step(${toText(at(values, 1)).sql}))`;
    return { sql: `ps_mixed_of_step(${step})`, type: valueWithin(at(values, 0).type) };
  },
  TYPEOF: (values) => ({ sql: typeName(at(values, 0)), type: TEXT }),
  JSON_VALID: (values) => ({ sql: `ps_is_json(${toText(at(values, 0)).sql})`, type: BOOLEAN }),
  JSON_ARRAY: (values, budget) => {
    const elements = values.map((value) => `coalesce(${jsonText(value)}, 'null')`);
    return {
      ...boundedText(`concat('[', ${elements.join(", ',', ") || "''"}, ']')`, budget),
      type: JSON_TYPE,
    };
  },
  JSON_BUILD_OBJECT: (values, budget) => {
    const fields = values.flatMap((value, i) => {
      if (i % 2 === 1) return [];
      const made = values[i + 1];
      const name = `coalesce(ps_json_of_text(${toText(value).sql}), ${NULL_NAME})`;
      return [`${name}, ':', ${made === undefined ? "'null'" : `coalesce(${jsonText(made)}, 'null')`}`];
    });
    return {
      ...boundedText(`concat('{', ${fields.join(", ',', ") || "''"}, '}')`, budget),
      type: JSON_TYPE,
    };
  },
  ARRAY_TO_STRING: (values, budget) => {
    const [list, separator, instead] = [
      documentText(at(values, 0)),
      toText(at(values, 1)).sql,
      toText(at(values, 2)).sql,
    ];
    return joinedElements({ list, separator, instead }, budget);
  },
  TIMEZONE: (values) => {
    const [zone, value] = [toText(at(values, 0)).sql, at(values, 1)];
    const isLocal = value.type.kind === 'temporal' && value.type.sql === 'TIMESTAMP';
    if (isLocal) return { sql: `timezone(${zone}, ${value.sql})`, type: temporal('TIMESTAMPTZ') };
    return { sql: `timezone(${zone}, ${toTemporal(value, 'TIMESTAMPTZ')})`, type: temporal('TIMESTAMP') };
  },
  TO_CHAR: toChar,
  NUMBER_TO_CHAR: (values) => numberToChar(at(values, 0), constantText(at(values, 1).sql)),
  TO_DATE: (values) => ({ sql: `CAST(${parsed(values)} AS DATE)`, type: temporal('DATE') }),
  TO_TIMESTAMP: (values) => {
    const seconds = `to_timestamp(CAST(${toNumber(at(values, 0)).sql} AS DOUBLE))`;
    const made = values.length > 1 ? parsed(values) : seconds;
    return { sql: `CAST(${made} AS TIMESTAMP)`, type: temporal('TIMESTAMP') };
  },
  TO_JSON: (values) => ({ sql: jsonText(at(values, 0)), type: JSON_TYPE }),
  TO_BASE64: (values, budget) => {
    const value = at(values, 0);
    if (value.type.kind === 'binary') return { sql: `to_base64(${value.sql})`, type: TEXT };
    return boundedText(`to_base64(encode(${toText(value).sql}))`, budget);
  },
  HEX: (values, budget) => {
    const value = at(values, 0);
    if (value.type.kind === 'binary') return { sql: `hex(${value.sql})`, type: TEXT };
    if (isNumber(value.type)) return { sql: `hex(CAST(${value.sql} AS BIGINT))`, type: TEXT };
    return boundedText(`hex(${toText(value).sql})`, budget);
  },
  LENGTH: length,
  OCTET_LENGTH: octetLength,
  REGEXP_MATCHES: (values, budget) => {
    const options = values.slice(2).map((value) => `, ${toText(value).sql}`);
    const call = (a: string, b: string): string => `regexp_matches(${a}, ${b}${options.join('')})`;
    return { sql: boundedMatch(at(values, 0), at(values, 1), budget, call), type: BOOLEAN };
  },
  REGEXP_EXTRACT: (values, budget) => {
    const [, , group, options] = values;
    const more =
      (group === undefined ? '' : `, CAST(${toNumber(group).sql} AS INTEGER)`) +
      (options === undefined ? '' : `, ${toText(options).sql}`);
    const call = (a: string, b: string): string => `regexp_extract(${a}, ${b}${more})`;
    return { sql: boundedMatch(at(values, 0), at(values, 1), budget, call), type: TEXT };
  },
  REGEXP_COUNT: (values, budget) => {
    const call = (a: string, b: string): string =>
      `CAST(len(regexp_extract_all(${a}, ${b}, 0, 's')) AS BIGINT)`;
    return { sql: boundedMatch(at(values, 0), at(values, 1), budget, call), type: integer(18) };
  },
  LEVENSHTEIN: (values, budget) => ({
    sql: boundedPairs([at(values, 0), at(values, 1)], budget, (a, b) => `levenshtein(${a}, ${b})`),
    type: integer(18),
  }),
  STRPOS: (values, budget) => ({
    sql: searched('strpos', at(values, 0), at(values, 1), budget),
    type: integer(18),
  }),
  POSITION: (values, budget) => ({
    sql: searched('strpos', at(values, 1), at(values, 0), budget),
    type: integer(18),
  }),
  CONTAINS: (values, budget) => {
    const [whole, part] = [at(values, 0), at(values, 1)];
    const isElement = (d: string): string => `ps_has_element(${d}, ${jsonText(part)})`;
    const isWithin = (text: Typed): string => searched('contains', text, part, budget);
    if (whole.type.kind === 'json') return { sql: isElement(whole.sql), type: BOOLEAN };
    if (whole.type.kind !== 'mixed') return { sql: isWithin(whole), type: BOOLEAN };
    return { sql: byDocument(whole, isElement, (t) => isWithin({ sql: t, type: TEXT })), type: BOOLEAN };
  },
  JSON_CONTAINS: (values, budget) => ({
    sql: searched('json_contains', at(values, 0), at(values, 1), budget),
    type: BOOLEAN,
  }),
  SPLIT_PART: (values, budget) => {
    const n = `CAST(${toNumber(at(values, 2)).sql} AS BIGINT)`;
    const options = { times: NEEDLE_PAIRS, short: SHORT_NEEDLE };
    const part = (a: string, b: string): string => `split_part(${a}, ${b}, ${n})`;
    return { sql: boundedPairs([at(values, 0), at(values, 1)], budget, part, options), type: TEXT };
  },
  SPLIT: (values, budget) => ({
    sql: split(at(values, 0), at(values, 1), budget, (parts) => parts),
    type: JSON_TYPE,
  }),
  STRING_TO_ARRAY: (values, budget) => ({
    sql: split(at(values, 0), separatorOf(values), budget, (parts, text, separator) => {
      const isWhole = separator === "''" && at(values, 1).type.kind !== 'null';
      const made = isWhole ? `to_json([${text}])` : parts;
      return `CASE WHEN ${text} = '' THEN '[]' ELSE ${withNulls(made, values[2])} END`;
    }),
    type: JSON_TYPE,
  }),
  ARRAY_CONTAINS: (values) => ({
    sql: `ps_has_element(${documentOf(at(values, 0)).sql}, ${jsonText(at(values, 1))})`,
    type: BOOLEAN,
  }),
});
