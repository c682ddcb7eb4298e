import { entriesIndex } from '../../catalog/index-relation.ts';
import {
  indexKeyNames,
  queryKey,
  type CatalogTable,
  type IndexKey,
  type KeyAttribute,
} from '../../catalog/table.ts';
import { conjunctsOf, type Condition } from '../../dynamodb/access-path/condition.ts';
import { projects } from '../../dynamodb/access-path/index-coverage.ts';
import { knownColumns } from '../../dynamodb/access-path/keyed-candidates.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { Change } from './change.ts';
import { NEW_INDEX, shownName, withIndexes, withProjection } from './changed-scan.ts';
import { equalities, keyable, ranges } from './found-conditions.ts';
import { GLOBAL_INDEXES_MAX } from './limits.ts';

/** Changes of the table's indexes: those of an index that there is come first, then new ones, the simpler ones first. */
export function indexChanges(scan: TableScan, conjuncts: readonly Condition[]): readonly Change[] {
  // It was named, so no other is of help.
  if (entriesIndex(scan.table) !== null) return [];
  return [...wholeProjections(scan), ...newIndexes(scan, conjuncts)];
}

function wholeProjections(scan: TableScan): readonly Change[] {
  const names = knownColumns(scan).map(({ path }) => String(path[0]));
  return scan.table.indexes.flatMap((index): readonly Change[] => {
    const missing = [...new Set(names.filter((name) => !projects(index, scan.table, name)))];
    if (missing.length === 0) return [];
    return [
      {
        scan: withProjection(scan, index),
        added: [],
        by: index.name,
        what: `if it projected ${missing.map(shownName).join(', ')}, index ${index.name} would serve`,
      },
    ];
  });
}

/** On what is said to equal constants, and sorted by what else the statement narrows. */
function newIndexes(scan: TableScan, conjuncts: readonly Condition[]): readonly Change[] {
  const { table } = scan;
  if (table.indexes.filter(({ global }) => global).length >= GLOBAL_INDEXES_MAX) return [];
  const equal = keyable(conjuncts.flatMap(equalities), table);
  const ranged = keyable(conjuncts.flatMap(ranges), table);
  const alone = equal.map((key): IndexKey => ({ partitionKeys: [key], sortKeys: [] }));
  const pairs = equal.flatMap((key, i) =>
    [...ranged, ...equal.slice(i + 1)]
      .filter(({ name }) => name !== key.name)
      .map((sortKey): IndexKey => ({ partitionKeys: [key], sortKeys: [sortKey] })),
  );
  const ofBranches = conjuncts.flatMap((conjunct) => branchKeys(conjunct, table)).slice(0, 1);
  const single = [...alone, ...pairs].filter((key) => !isThere(key, table)).map((key) => [key]);
  return [...single, ...ofBranches].map((keys): Change => ({
    scan: withIndexes(scan, keys),
    added: [],
    by: NEW_INDEX,
    what: `${keys.map(shownIndex).join(' and ')} would serve`,
  }));
}

/** There is one, and it is not read for a reason that another would have too: items that it lacks, or who may read it. */
function isThere(key: IndexKey, { indexes, deniedIndexes = [] }: CatalogTable): boolean {
  const names = ({ partitionKeys, sortKeys }: IndexKey): string =>
    JSON.stringify([partitionKeys, sortKeys].map((list) => list.map(({ name }) => name)));
  return [...indexes, ...deniedIndexes].some((index) => names(index.key) === names(key));
}

function shownIndex(key: IndexKey): string {
  const names = indexKeyNames(key).map(shownName);
  return `an index on ${names.length === 1 ? names.join('') : `(${names.join(', ')})`}`;
}

/** ORs of which an index for each branch would do: the keys that there are no indexes of yet. */
function branchKeys(or: Condition, table: CatalogTable): readonly (readonly IndexKey[])[] {
  if (or.kind !== 'Or') return [];
  const known = [null, ...table.indexes].map((index) => queryKey(table, index).partitionKeys);
  const isKnown = (keys: readonly KeyAttribute[]): boolean =>
    known.some((lists) => lists.every(({ name }) => keys.some((key) => key.name === name)));
  const branches = or.operands.map((branch) => keyable(conjunctsOf(branch).flatMap(equalities), table));
  if (branches.some((keys) => keys.length === 0)) return [];
  const lacking = branches.flatMap((keys) => (isKnown(keys) ? [] : keys.slice(0, 1)));
  const distinct = [...new Map(lacking.map((key) => [key.name, key])).values()];
  return distinct.length === 0 ? [] : [distinct.map((key) => ({ partitionKeys: [key], sortKeys: [] }))];
}
