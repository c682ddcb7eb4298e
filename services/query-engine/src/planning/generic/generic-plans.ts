/**
 * Plans of statements that read one item by parameters, or by values in their text, with places for these: planning such a
 * statement again for each value would take longer than all else that a worker does for it. (PostgreSQL calls such a plan
 * of a prepared statement generic.)
 */
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { foldCase } from '../../catalog/name-index.ts';
import { indexKeyAttributes, queryKey } from '../../catalog/table.ts';
import { parameterKeys, parameterValue, type Parameters } from '../../binder/parameters.ts';
import type { LiteralValue } from '../../logical/expression.ts';
import type { BoundStatement } from '../../logical/plan.ts';
import type { PhysicalPlan } from '../physical-plan.ts';
import { GENERIC_TRIES_MAX, KEY_TEXT_MAX } from './limits.ts';
import type { KeyParameter } from './parameters-as-keys.ts';
import { valuePlaces, withValues, type ValuePlaces } from './value-places.ts';

export interface GenericPlans {
  /** A plan for these parameters, made of one for others; undefined where there is none. `key`: all but the parameters. */
  planFor(key: string, parameters: Parameters): PhysicalPlan | undefined;
  /** Learns from a plan that was made for these parameters. `keys`: those that are compared with columns, if all are. */
  learn(
    key: string,
    keys: () => readonly KeyParameter[] | null,
    parameters: Parameters,
    plan: PhysicalPlan,
  ): void;
}

/** What the values of a statement's parameters go into: keys, in the order in which the statement names them. */
interface Key {
  readonly parameter: string | number;
  readonly type: 'S' | 'N';
}

interface Example {
  readonly values: readonly string[];
  readonly plan: PhysicalPlan;
}

type Entry =
  /** Its plans have no places for values. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'example';
      readonly keys: readonly Key[];
      readonly example: Example;
      readonly tries: number;
    }
  | {
      readonly kind: 'generic';
      readonly keys: readonly Key[];
      /** Values that have no places, since they were the same in both examples. */
      readonly fixed: ReadonlyMap<number, string>;
      readonly places: ValuePlaces<PhysicalPlan>;
    };

const NONE: Entry = Object.freeze({ kind: 'none' });

/** Whole numbers as DynamoDB writes them: others it would write otherwise than the statement does. */
const PLAIN_NUMBER = /^(?:0|-?[1-9]\d{0,14})$/;

function keyText(value: LiteralValue | undefined, type: Key['type']): string | null {
  if (type === 'N') return value?.type === 'number' && PLAIN_NUMBER.test(value.text) ? value.text : null;
  if (value?.type !== 'text') return null;
  const { value: text } = value;
  // DynamoDB refuses others as keys.
  return text !== '' && text.length <= KEY_TEXT_MAX && text.isWellFormed() ? text : null;
}

/** The values of the keys; null where one of them is not what these keys mostly are, or a parameter is of no use. */
function valuesOf(keys: readonly Key[], parameters: Parameters): readonly string[] | null {
  if (parameterKeys(parameters).length !== keys.length) return null;
  const found = keys.map(({ parameter, type }) => keyText(parameterValue(parameters, parameter), type));
  return found.every((value) => value !== null) ? found : null;
}

/** Null where the plan does more than read one item by its whole key. */
function keysOf(compared: () => readonly KeyParameter[] | null, plan: PhysicalPlan): readonly Key[] | null {
  const [read, ...others] = plan.reads;
  if (read?.path.kind !== 'GetItem' || others.length > 0) return null;
  if (plan.filteredScans.size + plan.lookups.size + plan.tries.size + plan.emptySides.size > 0) return null;
  const attributes = indexKeyAttributes(queryKey(read.table, null));
  const named = new Map(attributes.map((one) => [foldCase(one.name), one]));
  const keys = (compared() ?? []).flatMap(({ parameter, column }) => {
    const type = named.get(column)?.type;
    return type === 'S' || type === 'N' ? [{ parameter, type }] : [];
  });
  return keys.length === attributes.length && named.size === attributes.length ? keys : null;
}

/** The plan without what only EXPLAIN shows, which has values within a text. */
function unexplained(plan: PhysicalPlan): PhysicalPlan {
  return { ...plan, reads: plan.reads.map((read) => ({ ...read, reason: '' })) };
}

function genericOf(
  keys: readonly Key[],
  one: Example,
  other: Example,
): Extract<Entry, { kind: 'generic' }> | null {
  const fixed = new Map([...one.values.entries()].filter(([i, value]) => other.values[i] === value));
  const differing = one.values.filter((_, i) => !fixed.has(i));
  // Which of two equal values a place has could not be told.
  if (differing.length === 0 || new Set(one.values).size < one.values.length) return null;
  const places = valuePlaces(unexplained(one.plan), unexplained(other.plan), one.values, other.values);
  return places === null ? null : { kind: 'generic', keys, fixed, places };
}

interface GenericPlansOptions {
  /** Statements of which something is kept. */
  readonly keptMax: number;
  /** Memory that all of it may take. */
  readonly bytesMax: number;
  /** What a plan of a statement takes of that, and its key. */
  readonly bytesOf: (key: string, statement: BoundStatement) => number;
}

function planOf(entry: Entry): PhysicalPlan | null {
  if (entry.kind === 'none') return null;
  return entry.kind === 'example' ? entry.example.plan : entry.places.whole;
}

export function createGenericPlans({ keptMax, bytesMax, bytesOf }: GenericPlansOptions): GenericPlans {
  const entries = boundedCache<Entry>(keptMax, {
    weightMax: bytesMax,
    weightOf(key, entry) {
      const plan = planOf(entry);
      return plan === null ? key.length : bytesOf(key, plan.statement);
    },
  });
  return {
    planFor(key, parameters) {
      const entry = entries.get(key);
      if (entry?.kind !== 'generic') return undefined;
      const values = valuesOf(entry.keys, parameters);
      if (values === null || [...entry.fixed].some(([i, value]) => values[i] !== value)) return undefined;
      return withValues(entry.places, values);
    },
    learn(key, compared, parameters, plan) {
      const entry = entries.get(key);
      if (entry?.kind === 'none') return;
      const keys = keysOf(compared, plan);
      if (keys === null) {
        if (entry === undefined) entries.set(key, NONE);
        return;
      }
      const values = valuesOf(keys, parameters);
      if (values === null) return;
      const example: Example = { values, plan };
      const tries = entry?.kind === 'example' ? entry.tries : 0;
      const generic = entry?.kind === 'example' ? genericOf(keys, entry.example, example) : null;
      if (generic !== null) entries.set(key, generic);
      else if (tries === GENERIC_TRIES_MAX) entries.set(key, NONE);
      else entries.set(key, { kind: 'example', keys, example, tries: tries + 1 });
    },
  };
}
