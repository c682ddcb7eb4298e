import { TYPE } from '../system/types.ts';
import type { Bound, Field } from '../binder/bound.ts';
import type { BindContext } from '../binder/context.ts';
import { textOf } from '../binder/text-of.ts';
import { elementOf, isInteger } from '../binder/type-facts.ts';
import { quoteText } from '../binder/bound.ts';
import { argument, type Call, type Implementations } from './call.ts';

/** The value as DuckDB's JSON has it: numbers and truth values as such, all else by its text. */
function jsonValue(context: BindContext, bound: Bound): string {
  const { type, sql, fields } = bound;
  if (fields !== undefined) return jsonObject(context, sql, fields);
  if (type === TYPE.json || type === TYPE.jsonb) return `CAST(${sql} AS JSON)`;
  const isPlain =
    type === TYPE.bool ||
    [TYPE.int2, TYPE.int4, TYPE.int8, TYPE.float4, TYPE.float8, TYPE.numeric].some(
      (number) => number === type,
    );
  const element = elementOf(context.system, type);
  if (isPlain || (element !== 0 && isInteger(element)) || element === TYPE.bool) return `to_json(${sql})`;
  if (element !== 0) return `to_json(list_transform(${sql}, lambda v: CAST(v AS VARCHAR)))`;
  return `to_json(${textOf(context, bound)})`;
}

function jsonObject(context: BindContext, sql: string, fields: readonly Field[]): string {
  const pairs = fields.map(({ name, ...field }, i) => {
    const value = { ...field, sql: `struct_extract(${sql}, 'f${i + 1}')`, at: -1 };
    return `${quoteText(name)}, ${jsonValue(context, value)}`;
  });
  return `json_object(${pairs.join(', ')})`;
}

const asText = (sql: string): string => `CAST(${sql} AS VARCHAR)`;

const whole = (call: Call): string => {
  const [arg] = call.args;
  return arg === undefined ? 'NULL' : asText(jsonValue(call.context, { ...arg, sql: argument(call, 0) }));
};

const built = (call: Call): string => {
  const cells = call.args.map((arg, i) => {
    const bound = { ...arg, sql: argument(call, i) };
    return call.name.endsWith('object') && i % 2 === 0
      ? textOf(call.context, bound)
      : jsonValue(call.context, bound);
  });
  return asText(`${call.name.endsWith('object') ? 'json_object' : 'json_array'}(${cells.join(', ')})`);
};

export const JSON_FUNCTIONS: Implementations = {
  to_json: whole,
  to_jsonb: whole,
  row_to_json: whole,
  array_to_json: whole,
  json_build_object: built,
  jsonb_build_object: built,
  json_build_array: built,
  jsonb_build_array: built,
};

/** What json_agg gathers. */
export const aggregatedJson = (context: BindContext, bound: Bound): string => jsonValue(context, bound);
