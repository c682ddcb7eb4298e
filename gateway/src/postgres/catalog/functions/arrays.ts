import { TYPE } from '../system/types.ts';
import { isVector } from '../binder/type-facts.ts';
import { textOf } from '../binder/text-of.ts';
import { SERIES_MAX } from '../limits.ts';
import { argument, raise, type Call, type Implementations } from './call.ts';

/** Vectors count from 0, arrays from 1. */
const lower = (call: Call): number => (isVector(call.args[0]?.type ?? 0) ? 0 : 1);

const filled = (call: Call, sql: string): string =>
  `CASE WHEN len(${argument(call, 0)}) > 0 AND ${call.args[1]?.sql ?? '1'} = 1 THEN ${sql} END`;

const tooMany = raise('54000', `a series has at most ${SERIES_MAX} values`);

function series(call: Call): string {
  const [from, to] = [argument(call, 0), argument(call, 1)];
  const isTime = call.args[0]?.type === TYPE.timestamp || call.args[0]?.type === TYPE.timestamptz;
  if (isTime) {
    const step = argument(call, 2);
    return `CASE WHEN epoch(${to} - ${from}) / nullif(epoch(${step}), 0) > ${SERIES_MAX} THEN ${tooMany} ELSE generate_series(${from}, ${to}, ${step}) END`;
  }
  const step = call.args[2] === undefined ? '1' : argument(call, 2);
  const count = `abs(CAST(${to} AS HUGEINT) - ${from}) // nullif(abs(${step}), 0)`;
  return `CASE WHEN ${step} = 0 THEN ${raise('22023', 'step size cannot equal zero')} WHEN ${count} > ${SERIES_MAX} THEN ${tooMany} ELSE generate_series(CAST(${from} AS BIGINT), CAST(${to} AS BIGINT), CAST(${step} AS BIGINT)) END`;
}

/** Texts of elements, NULLs left out or shown. */
function arrayToString(call: Call): string {
  const [list, by] = call.args;
  if (list === undefined || by === undefined) return 'NULL';
  const element = call.context.system.types.get(list.type)?.element ?? TYPE.text;
  const shown = textOf(call.context, { sql: 'v', type: element, modifier: -1, at: -1 });
  const cells = `list_transform(${argument(call, 0)}, lambda v: ${shown})`;
  const nulls =
    call.args[2] === undefined
      ? `list_filter(${cells}, lambda v: v IS NOT NULL)`
      : `list_transform(${cells}, lambda v: coalesce(v, ${argument(call, 2)}))`;
  return `array_to_string(${nulls}, ${argument(call, 1)})`;
}

const POSITIONS = 'list_filter(range(1, len($1) + 1), lambda i: ($1)[i] IS NOT DISTINCT FROM $2)';

export const ARRAY_FUNCTIONS: Implementations = {
  array_length: (call) => filled(call, `CAST(len(${argument(call, 0)}) AS INTEGER)`),
  array_upper: (call) => filled(call, `CAST(len(${argument(call, 0)}) - ${1 - lower(call)} AS INTEGER)`),
  array_lower: (call) => filled(call, String(lower(call))),
  array_ndims: (call) => filled(call, '1'),
  array_dims: (call) =>
    filled(
      call,
      `'[${lower(call)}:' || CAST(len(${argument(call, 0)}) - ${1 - lower(call)} AS VARCHAR) || ']'`,
    ),
  cardinality: 'CAST(len($1) AS INTEGER)',
  array_append: 'list_append($1, $2)',
  array_prepend: 'list_prepend($1, $2)',
  array_cat: 'list_concat($1, $2)',
  array_remove: 'list_filter($1, lambda v: v IS DISTINCT FROM $2)',
  array_replace: 'list_transform($1, lambda v: CASE WHEN v IS NOT DISTINCT FROM $2 THEN $3 ELSE v END)',
  array_position: `nullif(list_position($1, $2), 0)`,
  array_positions: POSITIONS,
  array_to_string: arrayToString,
  unnest: '$1',
  generate_subscripts: (call) => {
    const list = argument(call, 0);
    return `CASE WHEN ${argument(call, 1)} = 1 THEN range(${lower(call)}, len(${list}) + ${lower(call)}) END`;
  },
  generate_series: series,
  _pg_expandarray: (call) => {
    const list = argument(call, 0);
    const element = call.context.system.types.get(call.args[0]?.type ?? 0)?.element ?? TYPE.int2;
    return {
      sql: `list_transform(range(1, len(${list}) + 1), lambda i: {'f1': (${list})[i], 'f2': CAST(i AS INTEGER)})`,
      fields: [
        { name: 'x', type: element, modifier: -1 },
        { name: 'n', type: TYPE.int4, modifier: -1 },
      ],
    };
  },
};
