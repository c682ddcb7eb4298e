/**
 * Which function or operator a call means, by the types of its arguments: PostgreSQL's rules of "Type Conversion" (manual,
 * chapter 10), as far as types of the catalogs can tell them apart.
 */
import { TYPE, type PgFunction, type PgOperator, type TypeSystem } from '../system/types.ts';
import { arrayOf, baseType, elementOf } from './type-facts.ts';

const ANY = 2276;
const ANY_ELEMENTS: ReadonlySet<number> = new Set([TYPE.anyelement, 2776, 3500, 5077, 5079]);
const ANY_ARRAYS: ReadonlySet<number> = new Set([TYPE.anyarray, 5078]);

export const isPolymorphic = (type: number): boolean =>
  type === ANY || ANY_ELEMENTS.has(type) || ANY_ARRAYS.has(type);

/** True where a value of the one type can stand for the other without being asked to. */
export function castsImplicitly(system: TypeSystem, from: number, to: number): boolean {
  if (from === to || from === TYPE.unknown || to === ANY) return true;
  if (ANY_ELEMENTS.has(to)) return true;
  if (ANY_ARRAYS.has(to)) return elementOf(system, from) !== 0;
  const base = baseType(system, from)?.oid ?? from;
  if (base === to) return true;
  if (from === TYPE.recordArray || from === TYPE.record) return false;
  const context = system.casts.get(`${base}:${to}`)?.context;
  if (context === 'i') return true;
  const elements = [elementOf(system, base), elementOf(system, to)] as const;
  return (
    elements[0] !== 0 &&
    elements[1] !== 0 &&
    system.casts.get(`${elements[0]}:${elements[1]}`)?.context === 'i'
  );
}

interface Candidate<T> {
  readonly meant: T;
  readonly arguments: readonly number[];
}

/** An array's element is no array itself. */
function areConsistent(system: TypeSystem, wanted: readonly number[], given: readonly number[]): boolean {
  if (!wanted.some((type) => ANY_ARRAYS.has(type))) return true;
  return wanted.every(
    (type, i) => !ANY_ELEMENTS.has(type) || elementOf(system, given[i] ?? TYPE.unknown) === 0,
  );
}

/** The candidate that fits best; null: none does. */
function best<T>(
  system: TypeSystem,
  candidates: readonly Candidate<T>[],
  given: readonly number[],
): Candidate<T> | null {
  const bases = given.map((type) => (type === TYPE.unknown ? type : (baseType(system, type)?.oid ?? type)));
  const fitting = candidates.filter(
    ({ arguments: wanted }) =>
      wanted.every((type, i) => castsImplicitly(system, given[i] ?? TYPE.unknown, type)) &&
      areConsistent(system, wanted, given),
  );
  const [only] = fitting;
  if (only === undefined || fitting.length === 1) return only ?? null;
  const score = ({ arguments: wanted }: Candidate<T>): number => {
    let sum = 0;
    for (const [i, type] of wanted.entries()) {
      const from = bases[i];
      const facts = system.types.get(type);
      if (from === TYPE.unknown) {
        // A literal is rather text than anything else; else what the other arguments are.
        const like = bases.find((other) => other !== TYPE.unknown);
        if (type === like) sum += 60;
        else if (facts?.category === 'S') sum += facts.preferred ? 50 : 40;
        else if (facts?.preferred === true) sum += 5;
      } else if (from === type) sum += 1000;
      else if (system.casts.get(`${from}:${type}`)?.method === 'b') sum += 300;
      else if (facts?.preferred === true) sum += 200;
      else if (!isPolymorphic(type))
        sum += facts?.category === system.types.get(from ?? 0)?.category ? 100 : 50;
    }
    return sum;
  };
  let chosen = only;
  for (const candidate of fitting) if (score(candidate) > score(chosen)) chosen = candidate;
  return chosen;
}

/** An operator's operand types and result; null where there is none for such operands. `left` 0: it has only the right one. */
export function resolveOperator(
  system: TypeSystem,
  name: string,
  left: number,
  right: number,
): PgOperator | null {
  const named = (system.operators.get(name) ?? []).filter(
    (operator) => (operator.left === 0) === (left === 0),
  );
  const given = left === 0 ? [right] : [left, right];
  // A literal beside a value is of that value's type, if there is such an operator.
  if (left !== 0 && (left === TYPE.unknown) !== (right === TYPE.unknown)) {
    const other = baseType(system, left === TYPE.unknown ? right : left)?.oid ?? 0;
    const same = named.find((operator) => operator.left === other && operator.right === other);
    if (same !== undefined) return same;
  }
  const candidates = named.map((meant) => ({
    meant,
    arguments: left === 0 ? [meant.right] : [meant.left, meant.right],
  }));
  const found = best(system, candidates, given);
  if (found === null) return null;
  const { arguments: wanted } = found;
  const concrete = concreteTypes(system, wanted, given);
  const result = concreteResult(system, found.meant.result, wanted, given);
  return {
    ...found.meant,
    left: left === 0 ? 0 : (concrete[0] ?? 0),
    right: concrete[concrete.length - 1] ?? 0,
    result,
  };
}

/** What an `anyelement` of the call is. */
function elementTypeOf(system: TypeSystem, wanted: readonly number[], given: readonly number[]): number {
  for (const [i, type] of wanted.entries()) {
    const from = given[i] ?? TYPE.unknown;
    if (from === TYPE.unknown) continue;
    const base = baseType(system, from)?.oid ?? from;
    if (ANY_ARRAYS.has(type)) return elementOf(system, base);
    if (ANY_ELEMENTS.has(type)) return base;
  }
  return TYPE.text;
}

function concreteTypes(
  system: TypeSystem,
  wanted: readonly number[],
  given: readonly number[],
): readonly number[] {
  const element = elementTypeOf(system, wanted, given);
  return wanted.map((type, i) => {
    if (type === ANY) return given[i] === TYPE.unknown ? TYPE.text : (given[i] ?? TYPE.text);
    if (ANY_ARRAYS.has(type)) {
      // Vectors stay what they are.
      const from = given[i] ?? TYPE.unknown;
      return elementOf(system, from) === 0 ? arrayOf(system, element) : from;
    }
    return ANY_ELEMENTS.has(type) ? element : type;
  });
}

function concreteResult(
  system: TypeSystem,
  result: number,
  wanted: readonly number[],
  given: readonly number[],
): number {
  if (ANY_ARRAYS.has(result)) return arrayOf(system, elementTypeOf(system, wanted, given));
  if (ANY_ELEMENTS.has(result)) return elementTypeOf(system, wanted, given);
  return result;
}

export interface ResolvedFunction {
  readonly meant: PgFunction;
  /** Types that the arguments are to be given. */
  readonly arguments: readonly number[];
  readonly result: number;
}

/** The function that a call means; null where there is none for such arguments. */
export function resolveFunction(
  system: TypeSystem,
  named: readonly PgFunction[],
  given: readonly number[],
): ResolvedFunction | null {
  const candidates = named.flatMap((meant): Candidate<PgFunction>[] => {
    const { arguments: wanted, defaults, variadic } = meant;
    if (
      given.length <= wanted.length &&
      given.length >= wanted.length - defaults &&
      (variadic === 0 || given.length === 0)
    ) {
      return [{ meant, arguments: wanted.slice(0, given.length) }];
    }
    if (variadic === 0) return [];
    const fixed = wanted.slice(0, -1);
    if (given.length < fixed.length) return [];
    return [
      {
        meant,
        arguments: [...fixed, ...Array.from({ length: given.length - fixed.length }, () => variadic)],
      },
    ];
  });
  const found = best(system, candidates, given);
  if (found === null) return null;
  return {
    meant: found.meant,
    arguments: concreteTypes(system, found.arguments, given),
    result: concreteResult(system, found.meant.result, found.arguments, given),
  };
}

/** The type that all of them can be given (CASE, UNION, ARRAY); null: there is none. */
export function commonType(system: TypeSystem, types: readonly number[]): number | null {
  let common = TYPE.unknown as number;
  for (const type of types) {
    if (type === TYPE.unknown || type === common) continue;
    if (common === TYPE.unknown) {
      common = type;
      continue;
    }
    const [a, b] = [baseType(system, common), baseType(system, type)];
    if (a === undefined || b === undefined || a.category !== b.category) return null;
    common = a.oid;
    if (a.oid === b.oid) continue;
    if (!a.preferred && castsImplicitly(system, a.oid, b.oid) && !castsImplicitly(system, b.oid, a.oid))
      common = b.oid;
    else if (!castsImplicitly(system, b.oid, a.oid)) {
      if (!castsImplicitly(system, a.oid, b.oid)) return null;
      common = b.oid;
    }
  }
  return common === TYPE.unknown ? TYPE.text : common;
}
