/** Aggregates into one list, of text or of JSON: sorted where the statement does not say how. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { AggregateCall, SortKey } from '../logical/expression.ts';
import { usesNoColumn } from '../optimizer/column-use.ts';
import { toText } from './types/convert.ts';
import { JSON_TYPE, TEXT, type Typed } from './types/sql-type.ts';
import { at } from './functions/writer.ts';
import type { Parts } from './aggregate.ts';
import { inBrackets, jsonText } from './json.ts';
import { quoteText } from './literal.ts';
import type { WriteScope } from './scope.ts';
import { writeSortKey } from './sort.ts';
import { given } from './named.ts';

const direction = ({ descending, nullsFirst }: Pick<SortKey, 'descending' | 'nullsFirst'>): string =>
  `${descending ? 'DESC' : 'ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;

/** The order of a list's elements: as asked, and then by the elements themselves, unless these are all one constant. */
function listOrder(call: AggregateCall, element: string, scope: WriteScope): { readonly order?: string } {
  const asked = call.orderBy.map((key) => writeSortKey(key, scope));
  const keys = usesNoColumn(call.arguments[0]) ? asked : [...asked, `${element} ASC NULLS FIRST`];
  return keys.length === 0 ? {} : { order: keys.join(', ') };
}

/** Each value once, in the values' own order: `made` is what an element of the list becomes. */
function distinctList(
  value: Typed,
  call: AggregateCall,
  made: (element: Typed) => string,
): Pick<Parts, 'name' | 'arguments' | 'order'> & { readonly elements: (list: string) => string } {
  // What it orders by is the value itself, or a constant.
  const key = call.orderBy.find(({ expression }) => expression.kind !== 'Literal');
  return {
    name: 'list',
    arguments: value.sql,
    order: `${value.sql} ${direction(key ?? { descending: false, nullsFirst: true })}`,
    elements: (list) => `list_transform(${list}, lambda e: ${made({ sql: 'e', type: value.type })})`,
  };
}

/** STRING_AGG: values that are not NULL as text, with a constant between them; NULL for it is none. */
export function textList(values: readonly Typed[], call: AggregateCall, scope: WriteScope): Parts {
  const given = values[1];
  const separator =
    given === undefined ? quoteText(',') : given.type.kind === 'null' ? quoteText('') : toText(given).sql;
  if (call.distinct) {
    const { elements, ...parts } = distinctList(at(values, 0), call, (element) => toText(element).sql);
    return { ...parts, type: TEXT, wrap: (list) => `array_to_string(${elements(list)}, ${separator})` };
  }
  const element = toText(at(values, 0)).sql;
  return {
    name: 'string_agg',
    arguments: `${element}, ${separator}`,
    type: TEXT,
    ...listOrder(call, element, scope),
  };
}

/** ARRAY_AGG: all values as a JSON array. */
export function jsonList(values: readonly Typed[], call: AggregateCall, scope: WriteScope): Parts {
  const value = at(values, 0);
  const json = (element: Typed): string => `coalesce(${jsonText(element)}, 'null')`;
  if (call.distinct) {
    const { elements, ...parts } = distinctList(value, call, json);
    return {
      ...parts,
      type: JSON_TYPE,
      wrap: (list) => inBrackets(`array_to_string(${elements(list)}, ',')`),
    };
  }
  return {
    name: 'string_agg',
    arguments: `${json(value)}, ','`,
    type: JSON_TYPE,
    ...listOrder(call, value.sql, scope),
    wrap: inBrackets,
  };
}

const NULL_NAME = `error(${quoteText('a name in JSON_OBJECT_AGG is NULL')})`;
const TWICE = `error(${quoteText('a name comes twice in JSONB_OBJECT_AGG; group the values by it first')})`;

/** JSON_OBJECT_AGG: a JSON map, in the order that is asked, then that of the names. */
export function jsonMap(values: readonly Typed[], call: AggregateCall, scope: WriteScope): Parts {
  if (call.distinct)
    throw new PenstockError(
      'TYPE_ERROR',
      `Type error: ${call.name} takes no DISTINCT; select distinct rows first`,
    );
  const [name, value] = [toText(at(values, 0)).sql, jsonText(at(values, 1))];
  const asked = call.orderBy.map((key) => writeSortKey(key, scope));
  const json = `coalesce(ps_json_of_text(${name}), ${NULL_NAME})`;
  const member = `struct_pack(n := ${json}, v := coalesce(${value}, 'null'))`;
  const text = (list: string): string =>
    `'{' || array_to_string(list_transform(${list}, lambda e: e.n || ':' || e.v), ',') || '}'`;
  const checked = (list: string): string =>
    call.name === 'JSONB_OBJECT_AGG'
      ? `CASE WHEN len(list_distinct(list_transform(${list}, lambda e: e.n))) < len(${list}) THEN ${TWICE} ELSE ${text(list)} END`
      : text(list);
  return {
    name: 'list',
    arguments: member,
    type: JSON_TYPE,
    order: [...asked, `${member} ASC`].join(', '),
    wrap: (list) => given('l', list, checked('l')),
  };
}
