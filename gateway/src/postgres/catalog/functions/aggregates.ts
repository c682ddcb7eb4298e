import { TYPE } from '../system/types.ts';
import { argument, type Implementations } from './call.ts';

/** What comes inside the brackets besides the argument (ORDER BY, DISTINCT, FILTER) is the binder's. */
export const AGGREGATES: Implementations = {
  count: 'count($*)',
  sum: (call) =>
    call.result === TYPE.int8 ? `CAST(sum(${argument(call, 0)}) AS BIGINT)` : `sum(${argument(call, 0)})`,
  avg: 'avg($1)',
  min: 'min($1)',
  max: 'max($1)',
  bool_and: 'bool_and($1)',
  bool_or: 'bool_or($1)',
  every: 'bool_and($1)',
  string_agg: 'string_agg($1, $2)',
  array_agg: 'list($1)',
  json_agg: 'list($1)',
  jsonb_agg: 'list($1)',
  json_object_agg: 'json_group_object($1, $2)',
  jsonb_object_agg: 'json_group_object($1, $2)',
};

export const WINDOW_FUNCTIONS: Implementations = {
  row_number: 'row_number()',
  rank: 'rank()',
  dense_rank: 'dense_rank()',
  ntile: 'ntile($1)',
  lag: 'lag($*)',
  lead: 'lead($*)',
  first_value: 'first_value($1)',
  last_value: 'last_value($1)',
};
