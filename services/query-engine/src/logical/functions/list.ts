/** The function list: every function that a statement can call, by name. */
import { nearestNames } from '@penstock/common/text/nearest-names.ts';
import { AGGREGATE_FUNCTIONS } from './aggregate.ts';
import { CONDITIONAL_FUNCTIONS } from './conditional.ts';
import type { AggregateFunction, FunctionDefinition, ScalarFunction } from './definition.ts';
import { JSON_FUNCTIONS } from './json.ts';
import { NUMERIC_FUNCTIONS } from './numeric.ts';
import { STRING_FUNCTIONS } from './string.ts';
import { TEMPORAL_FUNCTIONS } from './temporal.ts';
import { WINDOW_FUNCTIONS } from './window.ts';

/** All of them, family by family. */
export const FUNCTIONS: readonly FunctionDefinition[] = Object.freeze([
  ...NUMERIC_FUNCTIONS,
  ...STRING_FUNCTIONS,
  ...CONDITIONAL_FUNCTIONS,
  ...TEMPORAL_FUNCTIONS,
  ...JSON_FUNCTIONS,
  ...AGGREGATE_FUNCTIONS,
  ...WINDOW_FUNCTIONS,
]);

const byName: ReadonlyMap<string, FunctionDefinition> = new Map(
  FUNCTIONS.flatMap((definition) =>
    [definition.name, ...definition.aliases].map((name) => [name, definition] as const),
  ),
);

/** The function of that name or alias (upper-case), or undefined. */
export function findFunction(name: string): FunctionDefinition | undefined {
  return byName.get(name);
}

/** The scalar function of that canonical name. Throws where there is none: bound calls always have one. */
export function scalarNamed(name: string): ScalarFunction {
  const definition = byName.get(name);
  if (definition?.kind !== 'scalar') throw new Error(`no scalar function ${name} on the list`);
  return definition;
}

/** The aggregate or window function of that canonical name. Throws where there is none. */
export function aggregateNamed(name: string): AggregateFunction {
  const definition = byName.get(name);
  if (definition === undefined || definition.kind === 'scalar')
    throw new Error(`no aggregate ${name} on the list`);
  return definition;
}

/** Names on the list that look like this one, nearest first. */
export function functionsNear(name: string): readonly string[] {
  return nearestNames(name, [...byName.keys()]);
}
