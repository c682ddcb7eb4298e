import { entriesIndex } from '../../catalog/index-relation.ts';
import { indexKeyAttributes, keyNames, queryKey, type KeyAttribute } from '../../catalog/table.ts';
import { rejectsNull, type Condition } from '../../dynamodb/access-path/condition.ts';
import { knownColumns } from '../../dynamodb/access-path/keyed-candidates.ts';
import { impliesLegalKey } from '../../dynamodb/access-path/legal-key.ts';
import { sortKeyBytesMax } from '../../dynamodb/access-path/limits.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { Change } from './change.ts';
import { shownName, shownPredicate, withPredicates, type Predicate } from './changed-scan.ts';
import { equalities, fits } from './found-conditions.ts';
import { NEARLY_ALL } from './limits.ts';
import { heldPart } from './promised-units.ts';

/** Changes of the statement alone. They may leave rows out, so it is for the reader to say whether these are wanted. */
export function statementChanges(scan: TableScan, conjuncts: readonly Condition[]): readonly Change[] {
  return [...keyTypes(scan, conjuncts), ...provingPredicates(scan, conjuncts)];
}

const HOLDS: Readonly<Record<KeyAttribute['type'], string>> = Object.freeze({
  S: 'texts',
  N: 'numbers',
  B: 'binary values',
});

/** A key that is compared with values of another type finds nothing by them. */
function keyTypes(scan: TableScan, conjuncts: readonly Condition[]): readonly Change[] {
  const index = entriesIndex(scan.table);
  const { partitionKeys } = queryKey(scan.table, index);
  const unlike = partitionKeys.find(({ name, type }) =>
    conjuncts.some((conjunct) =>
      equalities(conjunct).some((one) => one.name === name && !fits(one.literal, type)),
    ),
  );
  // Where others are to be said as well, this alone does not help.
  if (unlike === undefined || partitionKeys.length > 1) return [];
  const added: readonly Predicate[] = [{ attribute: unlike, asks: 'value' }];
  return [
    {
      // In place of what compares it now.
      scan: withPredicates({ ...scan, filter: [] }, added),
      added,
      by: index?.name ?? null,
      what: `compare ${shownName(unlike.name)} with ${HOLDS[unlike.type]}, which are what it holds`,
    },
  ];
}

/**
 * What proves that an index has every row: for each index the one that leaves out least comes first. Rows are left out only
 * by a sort key of partitions that are bound, and only where the statement reads that attribute or nearly all rows have it:
 * who asks for all rows is not told to ask for less.
 */
function provingPredicates(scan: TableScan, conjuncts: readonly Condition[]): readonly Change[] {
  const own = keyNames(scan.table.key);
  const isEqual = ({ name }: KeyAttribute): boolean =>
    conjuncts.some((conjunct) => equalities(conjunct).some((one) => one.name === name));
  const isPresent = ({ name }: KeyAttribute): boolean =>
    conjuncts.some((conjunct) => rejectsNull(conjunct, name));
  const isRead = ({ name }: KeyAttribute): boolean =>
    knownColumns(scan).some(({ path }) => path.length === 1 && path[0] === name);
  return scan.table.indexes.flatMap((index) => {
    const open = indexKeyAttributes(index.key).filter((key) => !own.includes(key.name) && !isEqual(key));
    const lacking = open.filter((key) => !isPresent(key));
    const { partitionKeys } = index.key;
    const held = heldPart(
      scan.table,
      index,
      partitionKeys.map(({ name }) => name),
    );
    const isMeant = held >= NEARLY_ALL || lacking.every(isRead);
    if (lacking.length > 0 && !(partitionKeys.every(isEqual) && isMeant)) return [];
    const doubtful = open.filter(
      (key) => !conjuncts.some((one) => impliesLegalKey(one, key, sortKeyBytesMax) !== 'no'),
    );
    const ways = [
      lacking.map((attribute): Predicate => ({ attribute, asks: 'present' })),
      doubtful.map((attribute): Predicate => ({ attribute, asks: 'comparable' })),
    ].filter((added) => added.length > 0);
    return ways.map((added): Change => {
      const shown = added.map((predicate) => `AND ${shownPredicate(predicate)}`).join(' ');
      return {
        scan: withPredicates(scan, added),
        added,
        by: index.name,
        what: `with \`${shown}\` index ${index.name} would serve`,
      };
    });
  });
}
