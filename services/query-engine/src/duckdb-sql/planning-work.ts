/** What a written query costs DuckDB before it runs: its macros are put in as text, and bound and optimized each. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Position } from '../parser/ast.ts';
import { EXPRESSION_LEVELS_MAX, PLANNING_WORK_MAX } from './limits.ts';

/** Milliseconds of CPU time to bind and optimize one call, about, as measured over some hundred in a condition. */
const COSTS: Readonly<Record<string, number>> = Object.freeze({
  ps_sign: 3,
  ps_sign_of: 6,
  // Of the keys of a join: each equality has two, and is compared with others.
  ps_hash_text: 8,
  ps_number_key: 1.2,
  ps_plain_number: 1.5,
  ps_kept_digits: 0.4,
  ps_mean: 0.6,
  ps_try_instant: 0.3,
  ps_squared_distances: 1.2,
  ps_list_key: 2.5,
  ps_list_joined: 1.5,
  ps_mixed_of_number: 2,
  ps_mixed_of_step: 2.5,
  ps_mixed_double: 0.25,
  ps_json: 1.5,
  ps_try_json: 1.5,
  ps_is_json: 1.5,
  ps_mixed_digits: 0.2,
  ps_mixed_boolean: 0.2,
  ps_mixed_of_text: 0.2,
  ps_mixed_of_boolean: 0.2,
  ps_mixed_of_binary: 0.2,
  ps_mixed_of_json: 0.2,
  ps_mixed_of_temporal: 0.2,
});

/** Of all macros that the SQL calls, milliseconds about. */
export function planningWork(sql: string): number {
  if (!sql.includes('ps_')) return 0;
  let sum = 0;
  for (const [, name = ''] of sql.matchAll(/\b(ps_\w+)\(/g)) sum += COSTS[name] ?? 0;
  return sum;
}

function refused(message: string, advice: string, pos: Position | undefined): PenstockError {
  const place = pos === undefined ? '' : `at line ${pos.line}, column ${pos.column}: `;
  return new PenstockError('INVALID_QUERY', message, { detail: `${place}${message}; ${advice}` });
}

export function tooComplex(pos: Position | undefined): PenstockError {
  return refused(
    'An expression is too complex',
    `nest at most ${EXPRESSION_LEVELS_MAX} operators inside each other, and compute a part of it in a common table expression`,
    pos,
  );
}

export function tooManyConversions(pos: Position | undefined): PenstockError {
  return refused(
    'Too many comparisons and conversions of values of several types',
    'compare constants by IN, or CAST columns of several types to one type in a common table expression',
    pos,
  );
}

/** Throws INVALID_QUERY where planning a whole query would take too long. */
export function checkPlanningWork(sql: string): void {
  if (planningWork(sql) > PLANNING_WORK_MAX) throw tooManyConversions(undefined);
}
