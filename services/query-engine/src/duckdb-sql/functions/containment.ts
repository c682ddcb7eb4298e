/** Whether a document contains another, as PostgreSQL's `@>` has it, and what names it has. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { jsonConstant, type JsonConstant } from '../../logical/json-constant.ts';
import { NEEDLE_PAIRS, SHORT_NEEDLE, boundedPairs } from '../bounded-text.ts';
import { anyDocumentText, jsonPointer } from '../json.ts';
import { constantText, quoteText } from '../literal.ts';
import { MixedKind } from '../macros.ts';
import { given } from '../named.ts';
import type { TextBudget } from '../text-budget.ts';
import { toText } from '../types/convert.ts';
import { BOOLEAN, TEXT, type Typed } from '../types/sql-type.ts';
import { at, type Writer } from './writer.ts';

const BOUNDS = { times: NEEDLE_PAIRS, short: SHORT_NEEDLE };
const textOf = (sql: string): Typed => ({ sql, type: TEXT });
const and = (conditions: readonly string[]): string => `(${conditions.join(' AND ')})`;

function parsed(text: string): JsonConstant {
  try {
    return jsonConstant(text);
  } catch (cause) {
    throw new PenstockError('TYPE_ERROR', 'Type error: what JSONB_CONTAINS looks for is not JSON', { cause });
  }
}

/** `container @> contained`. */
export const contains: Writer = (values, budget) => {
  const container = textOf(anyDocumentText(at(values, 0)));
  const constant = at(values, 1).type.kind === 'text' ? constantText(at(values, 1).sql) : null;
  const sql =
    constant === null
      ? boundedPairs(
          [container, textOf(anyDocumentText(at(values, 1)))],
          budget,
          (a, b) => `ps_contains(${a}, ${b})`,
          BOUNDS,
        )
      : boundedPairs([container, textOf(quoteText(constant))], budget, holdsConstant(constant), BOUNDS);
  return { sql, type: BOOLEAN };
};

const holdsConstant =
  (constant: string) =>
  (document: string): string => {
    const wanted = parsed(constant);
    const isScalar = wanted.kind !== 'array' && wanted.kind !== 'object';
    // A list contains a plain value, too, though only at the top.
    const holds = isScalar
      ? `list_contains(ps_list_key(d), ${keyOf(wanted)}) AND json_type(d) <> 'OBJECT'`
      : condition('d', wanted, 0);
    const made = `CASE WHEN d IS NULL THEN NULL ELSE coalesce(${holds}, FALSE) END`;
    return given('d', document, made);
  };

/** A plain value as ps_list_key has it. */
function keyOf(value: JsonConstant): string {
  switch (value.kind) {
    case 'text':
      return quoteText(`${MixedKind.TEXT}${value.text}`);
    case 'boolean':
      return quoteText(`${MixedKind.BOOLEAN}${value.value}`);
    case 'number':
      return `('${MixedKind.NUMBER}' || ps_number_key(${quoteText(value.text)}))`;
    default:
      return `'9'`;
  }
}

/** Whether the JSON of that name contains the value at the same place. Names of lambdas tell the levels apart. */
function condition(name: string, wanted: JsonConstant, level: number): string {
  if (wanted.kind === 'object') {
    const fields = [...wanted.fields];
    const part = `p${level}`;
    const paths = fields.map(([field]) => quoteText(jsonPointer(field)));
    const all = fields.map(([, value], i) => condition(`${part}[${i + 1}]`, value, level + 1));
    const isObject = `json_type(${name}) = 'OBJECT'`;
    if (fields.length === 0) return isObject;
    const extracted = `json_extract(${name}, [${paths.join(', ')}])`;
    return and([isObject, given(part, extracted, and(all))]);
  }
  if (wanted.kind === 'array') {
    const plain = wanted.elements.filter(({ kind }) => kind !== 'object' && kind !== 'array');
    const nested = wanted.elements.filter(({ kind }) => kind === 'object' || kind === 'array');
    const element = `e${level}`;
    return and([
      `json_type(${name}) = 'ARRAY'`,
      ...(plain.length === 0 ? [] : [`list_has_all(ps_list_key(${name}), [${plain.map(keyOf).join(', ')}])`]),
      ...nested.map(
        (one) =>
          `len(list_filter(ps_elements(${name}), lambda ${element}: coalesce(${condition(element, one, level + 1)}, FALSE))) > 0`,
      ),
    ]);
  }
  const isPlain = `json_type(${name}) NOT IN ('ARRAY', 'OBJECT')`;
  return and([isPlain, `ps_list_key(${name})[1] = ${keyOf(wanted)}`]);
}

/** Lists that have an element in common. */
export const overlap: Writer = (values, budget) => {
  const lists = [0, 1].map((i) => textOf(anyDocumentText(at(values, i)))) as [Typed, Typed];
  const made = (a: string, b: string): string => `ps_overlap(${a}, ${b})`;
  return { sql: boundedPairs(lists, budget, made, BOUNDS), type: BOOLEAN };
};

/** Whether a map has a name, or a list a text; of several names one, or all. */
export function hasNames(how: 'one' | 'any' | 'all'): Writer {
  return (values, budget: TextBudget) => {
    const document = textOf(anyDocumentText(at(values, 0)));
    const wanted = at(values, 1);
    const names = how === 'one' ? toText(wanted) : textOf(anyDocumentText(wanted));
    const made = (d: string, n: string): string =>
      how === 'one'
        ? `list_contains(ps_names(${d}), ${n})`
        : `list_has_${how}(ps_names(${d}), from_json(${n}, '["VARCHAR"]'))`;
    return { sql: boundedPairs([document, names], budget, made, BOUNDS), type: BOOLEAN };
  };
}
