/** What could be written or made so that a scan costs less: guesses, each of which is planned before anybody hears of it. */
import { entriesIndex } from '../../catalog/index-relation.ts';
import type { CatalogTable, KeyAttribute, KeySchema } from '../../catalog/table.ts';
import {
  attributeOf,
  conditionsOf,
  conjunctsOf,
  rejectsNull,
  type Condition,
} from '../../dynamodb/access-path/condition.ts';
import { projects } from '../../dynamodb/access-path/index-coverage.ts';
import { knownColumns } from '../../dynamodb/access-path/keyed-candidates.ts';
import type { Literal } from '../../dynamodb/access-path/literal.ts';
import type { TableScan } from '../../logical/plan.ts';
import {
  NEW_INDEX,
  shownPredicate,
  withIndexes,
  withPredicates,
  withProjection,
  type Predicate,
} from './changed-scan.ts';

export interface Change {
  readonly scan: TableScan;
  /** What has to be read then for the change to have been of use: an index by its name, the table by its keys, a new index. */
  readonly by: string | null;
  /** What to do; `units` is what it would cost then. */
  readonly say: (units: string) => string;
}

/** Changes of the statement alone. They may leave rows out, so it is for the reader to say whether these are wanted. */
export function statementChanges(scan: TableScan): readonly Change[] {
  const conjuncts = conditionsOf(scan.filter, knownColumns(scan));
  return [...keyTypes(scan, conjuncts), ...provingPredicates(scan, conjuncts)];
}

/** Changes of the table's indexes. */
export function indexChanges(scan: TableScan): readonly Change[] {
  if (entriesIndex(scan.table) !== null) return [];
  const conjuncts = conditionsOf(scan.filter, knownColumns(scan));
  return [...newIndexes(scan, conjuncts), ...wholeProjections(scan)];
}

/** Keys that the statement would have to say a value of. */
export function keyChanges(scan: TableScan): readonly Change[] {
  const conjuncts = conditionsOf(scan.filter, knownColumns(scan));
  const { table } = scan;
  const own = entriesIndex(table) === null ? [{ key: table.key, name: null }] : [];
  return [...own, ...table.indexes].flatMap(({ key, name }): readonly Change[] => {
    const { partitionKey, sortKey } = key;
    const isBound = conjuncts.some((conjunct) =>
      equalities(conjunct).some((one) => one.name === partitionKey.name),
    );
    const isAsked = conjuncts.some((conjunct) => sortKey !== null && isAbout(conjunct, sortKey.name));
    if (isBound || sortKey === null || !isAsked) return [];
    const changed = withPredicates(scan, [{ attribute: partitionKey, asks: 'value' }]);
    const place = name === null ? 'the table' : `index ${name}`;
    return [
      {
        scan: changed,
        by: name,
        say: (units) =>
          `bind ${partitionKey.name}, and ${place} is read by its sort key ${sortKey.name}, for about ${units}`,
      },
    ];
  });
}

const HOLDS: Readonly<Record<KeyAttribute['type'], string>> = Object.freeze({
  S: 'texts',
  N: 'numbers',
  B: 'binary values',
});

/** A key that is compared with values of another type finds nothing by them. */
function keyTypes(scan: TableScan, conjuncts: readonly Condition[]): readonly Change[] {
  const { partitionKey } = (entriesIndex(scan.table) ?? scan.table).key;
  const { name, type } = partitionKey;
  const unlike = conjuncts.some((conjunct) =>
    equalities(conjunct).some((one) => one.name === name && !fits(one.literal, type)),
  );
  if (!unlike) return [];
  // In place of what compares it now.
  const changed = withPredicates({ ...scan, filter: [] }, [{ attribute: partitionKey, asks: 'value' }]);
  return [
    {
      scan: changed,
      by: entriesIndex(scan.table)?.name ?? null,
      say: (units) => `compare ${name} with ${HOLDS[type]}, which it holds, for about ${units}`,
    },
  ];
}

/** What proves that an index has every row. */
function provingPredicates(scan: TableScan, conjuncts: readonly Condition[]): readonly Change[] {
  return scan.table.indexes.flatMap((index) => {
    const own = keysOf(scan.table.key).map(({ name }) => name);
    const open = keysOf(index.key).filter(
      ({ name }) =>
        !own.includes(name) &&
        !conjuncts.some((conjunct) => equalities(conjunct).some((one) => one.name === name)),
    );
    const lacking = open.filter(({ name }) => !conjuncts.some((conjunct) => rejectsNull(conjunct, name)));
    const ways = [
      lacking.map((attribute): Predicate => ({ attribute, asks: 'present' })),
      open.map((attribute): Predicate => ({ attribute, asks: 'comparable' })),
    ].filter((predicates) => predicates.length > 0);
    return ways.map((predicates): Change => ({
      scan: withPredicates(scan, predicates),
      by: index.name,
      say: (units) =>
        `with \`${predicates.map((predicate) => `AND ${shownPredicate(predicate)}`).join(' ')}\` index ${index.name} would serve, for about ${units}`,
    }));
  });
}

/** On what is said to equal constants, and sorted by what else the statement narrows. */
function newIndexes(scan: TableScan, conjuncts: readonly Condition[]): readonly Change[] {
  const { table } = scan;
  const equal = keyable(conjuncts.flatMap(equalities), table);
  const ranged = keyable(conjuncts.flatMap(ranges), table);
  const pairs = equal.flatMap((partitionKey) =>
    [...ranged, ...equal]
      .filter(({ name }) => name !== partitionKey.name)
      .map((sortKey): KeySchema => ({ partitionKey, sortKey })),
  );
  const alone = equal.map((partitionKey): KeySchema => ({ partitionKey, sortKey: null }));
  const ofBranches = conjuncts.flatMap((conjunct) => branchKeys(conjunct, table)).slice(0, 1);
  return [...[...pairs, ...alone].map((key) => [key]), ...ofBranches].map((keys): Change => ({
    scan: withIndexes(scan, keys),
    by: NEW_INDEX,
    say: (units) =>
      `${keys.map(({ partitionKey, sortKey }) => `an index on ${sortKey === null ? partitionKey.name : `(${partitionKey.name}, ${sortKey.name})`}`).join(' and ')} would serve, for about ${units}`,
  }));
}

/** ORs of which an index for each branch would do: the keys that there are no indexes of yet. */
function branchKeys(or: Condition, table: CatalogTable): readonly (readonly KeySchema[])[] {
  if (or.kind !== 'Or') return [];
  const known = [table.key, ...table.indexes.map(({ key }) => key)].map(
    ({ partitionKey }) => partitionKey.name,
  );
  const branches = or.operands.map((branch) => keyable(conjunctsOf(branch).flatMap(equalities), table));
  if (branches.some((keys) => keys.length === 0)) return [];
  const lacking = branches.flatMap((keys) =>
    keys.some(({ name }) => known.includes(name)) ? [] : keys.slice(0, 1),
  );
  const distinct = [...new Map(lacking.map((key) => [key.name, key])).values()];
  return distinct.length === 0 ? [] : [distinct.map((partitionKey) => ({ partitionKey, sortKey: null }))];
}

function wholeProjections(scan: TableScan): readonly Change[] {
  const names = knownColumns(scan).map(({ path }) => String(path[0]));
  return scan.table.indexes.flatMap((index): readonly Change[] => {
    const missing = [...new Set(names.filter((name) => !projects(index, scan.table, name)))];
    if (missing.length === 0) return [];
    return [
      {
        scan: withProjection(scan, index),
        by: index.name,
        say: (units) =>
          `index ${index.name} would serve if it projected ${missing.join(', ')}, for about ${units}`,
      },
    ];
  });
}

interface Equality {
  readonly name: string;
  readonly literal: Literal;
}

function equalities(condition: Condition): readonly Equality[] {
  if (condition.kind !== 'In' && (condition.kind !== 'Compare' || condition.operator !== '=')) return [];
  const name = attributeOf(condition.column);
  const literals = condition.kind === 'In' ? condition.literals : [condition.literal];
  return name === null ? [] : literals.map((literal) => ({ name, literal }));
}

/** What a condition narrows to a range that a sort key can be read by. */
function ranges(condition: Condition): readonly Equality[] {
  const name =
    condition.kind === 'Compare' || condition.kind === 'Prefix' ? attributeOf(condition.column) : null;
  if (name === null || !rejectsNull(condition, name)) return [];
  if (condition.kind === 'Prefix') return [{ name, literal: { type: 'text', value: condition.prefix } }];
  const isRange = condition.kind === 'Compare' && condition.operator !== '=' && condition.operator !== '<>';
  return isRange ? [{ name, literal: condition.literal }] : [];
}

function isAbout(condition: Condition, name: string): boolean {
  return [...equalities(condition), ...ranges(condition)].some((one) => one.name === name);
}

const KEY_TYPES: Readonly<Partial<Record<Literal['type'], KeyAttribute['type']>>> = Object.freeze({
  text: 'S',
  number: 'N',
  binary: 'B',
});

function fits({ type }: Literal, key: KeyAttribute['type']): boolean {
  return KEY_TYPES[type] === key || (type === 'text' && key !== 'S');
}

/** Attributes that an index could have as a key, each once: none is known to hold other types than the constants'. */
function keyable(found: readonly Equality[], { attributes }: CatalogTable): readonly KeyAttribute[] {
  const keys = new Map<string, KeyAttribute>();
  for (const { name, literal } of found) {
    const type = KEY_TYPES[literal.type];
    const met = Object.keys(attributes.find((attribute) => attribute.name === name)?.types ?? {});
    if (type !== undefined && met.every((one) => one === type)) keys.set(name, { name, type });
  }
  return [...keys.values()];
}

function keysOf({ partitionKey, sortKey }: KeySchema): readonly KeyAttribute[] {
  return sortKey === null ? [partitionKey] : [partitionKey, sortKey];
}
