import { OTHERS } from '../../catalog/others.ts';
import {
  indexKeyAttributes,
  indexKeyNames,
  keyNames,
  type CatalogTable,
  type KeyAttribute,
  type SecondaryIndex,
} from '../../catalog/table.ts';
import type { DocumentStep } from '../../logical/expression.ts';
import { rejectsNull, type Condition } from './condition.ts';
import { impliesLegalKey, type Implied } from './legal-key.ts';
import { partitionKeyBytesMax, sortKeyBytesMax } from './limits.ts';

/** Why an index may not be read instead of the table, in words for a warning; null when it may. */
export function whyNotIndex(
  index: SecondaryIndex,
  table: CatalogTable,
  conjuncts: readonly Condition[],
  paths: readonly (readonly DocumentStep[])[],
  consistent: boolean,
): string | null {
  // Its entries are what is asked for. Whether they may be read consistently was seen to where they were named.
  if (table.entriesOf === index.name) return null;
  if (consistent && index.global) return 'a consistent read cannot use a global index';
  const missing =
    index.projection === 'ALL'
      ? undefined
      : paths.map(([name]) => String(name)).find((name) => !projects(index, table, name));
  if (missing !== undefined) return `it does not project ${missing}`;
  const optional = keyParts(index).find(
    ({ name }) => !isOwnKey(table, name) && !conjuncts.some((conjunct) => rejectsNull(conjunct, name)),
  );
  // An index holds only items that have all of its key attributes.
  if (optional !== undefined) return `items without ${optional.name} are not in it`;
  const doubtful = doubtfulParts(index, table, conjuncts);
  const asked = isLacking(index, table) ? 'certainly' : 'likely';
  const open = doubtful.find(({ implied }) => implied !== asked && implied !== 'certainly');
  if (open === undefined) return null;
  return asked === 'certainly' ? lacks(open.part) : mayLack(open.part);
}

/**
 * What has to hold in all items for an index to give every row, in words for EXPLAIN; null where it does in any case.
 * Nothing that an index answers shows what it lacks, so this is not checked by reading it: samples look for items that it
 * lacks, and once one is met the index is not read that way any more.
 */
export function assumptionOf(
  index: SecondaryIndex,
  table: CatalogTable,
  conjuncts: readonly Condition[],
): string | null {
  const parts = doubtfulParts(index, table, conjuncts).filter(({ implied }) => implied !== 'certainly');
  if (parts.length === 0) return null;
  const each = parts.map(({ part }) => `every ${part.name} is ${KINDS[part.type](part.bytesMax)}`);
  return `${each.join(', ')}; those met so far are`;
}

interface KeyPart extends KeyAttribute {
  readonly bytesMax: number;
}

/** The parts of its key whose values may have kept items out of an index, and what the conjuncts say of these. */
function doubtfulParts(
  index: SecondaryIndex,
  table: CatalogTable,
  conjuncts: readonly Condition[],
): readonly { readonly part: KeyPart; readonly implied: Implied }[] {
  if (!index.global || index.coverage === 'complete' || table.entriesOf === index.name) return [];
  return keyParts(index)
    .filter((part) => !fitsAlways(part, table))
    .map((part) => {
      const said = conjuncts.map((conjunct) => impliesLegalKey(conjunct, part, part.bytesMax));
      const implied = said.includes('certainly') ? 'certainly' : said.includes('likely') ? 'likely' : 'no';
      // Of its own key a table knows the type, and that it is not empty: it may only be too long.
      return { part, implied: implied === 'no' && isOwnKey(table, part.name) ? 'likely' : implied };
    });
}

/**
 * Whether DynamoDB bounds the bytes of each attribute of a key or of all together is not documented: values that are
 * short enough to be in the index either way are known to be.
 */
function keyParts({ key }: SecondaryIndex): readonly KeyPart[] {
  const parts = (attributes: readonly KeyAttribute[], bytesMax: number): readonly KeyPart[] =>
    attributes.map((attribute) => ({ ...attribute, bytesMax: Math.floor(bytesMax / attributes.length) }));
  return [...parts(key.partitionKeys, partitionKeyBytesMax), ...parts(key.sortKeys, sortKeyBytesMax)];
}

function isOwnKey({ key }: CatalogTable, name: string): boolean {
  return name === key.partitionKey.name || name === key.sortKey?.name;
}

/** Key attributes of the table whose every value an index's key takes. */
function fitsAlways({ name, type, bytesMax }: KeyPart, { key }: CatalogTable): boolean {
  if (name === key.sortKey?.name) return type === 'N' || bytesMax >= sortKeyBytesMax;
  return name === key.partitionKey.name && (type === 'N' || bytesMax >= partitionKeyBytesMax);
}

/** Whether items are known to be missing from an index, or may well be: a key attribute was met with another type. */
function isLacking({ key, coverage }: SecondaryIndex, table: CatalogTable): boolean {
  if (coverage === 'lacking') return true;
  return indexKeyAttributes(key).some(({ name, type }) => {
    const met = table.attributes.find((attribute) => attribute.name === name)?.types ?? {};
    return Object.entries(met).some(([other, count]) => other !== type && other !== 'NULL' && count > 0);
  });
}

const KINDS: Readonly<Record<KeyAttribute['type'], (bytesMax: number) => string>> = Object.freeze({
  N: () => 'a number',
  S: (bytesMax) => `a text of 1 to ${bytesMax} bytes`,
  B: (bytesMax) => `a binary value of 1 to ${bytesMax} bytes`,
});

const COMPARISONS: Readonly<Record<KeyAttribute['type'], string>> = Object.freeze({
  N: '> 0',
  S: "> ''",
  B: "> X''",
});

function lacks({ name, type, bytesMax }: KeyPart): string {
  return `it lacks items whose ${name} is not ${KINDS[type](bytesMax)}`;
}

function mayLack({ name, type, bytesMax }: KeyPart): string {
  return `it may lack items whose ${name} is not ${KINDS[type](bytesMax)}: leave them out by a comparison, such as ${name} ${COMPARISONS[type]}`;
}

/** Whether the index's items have the attribute, where the table's do. */
export function projects(index: SecondaryIndex, table: CatalogTable, attribute: string): boolean {
  return index.projection === 'ALL' || attribute === OTHERS || projectedBy(index, table).has(attribute);
}

/** Asked of every column of a scan, again for every form that a plan may take. */
const projected = new WeakMap<SecondaryIndex, ReadonlySet<string>>();

/** What an index that does not hold all attributes holds. An index object is of one table. */
function projectedBy(index: SecondaryIndex, table: CatalogTable): ReadonlySet<string> {
  const known = projected.get(index);
  if (known !== undefined) return known;
  const names = new Set([...keyNames(table.key), ...indexKeyNames(index.key), ...index.nonKeyAttributes]);
  projected.set(index, names);
  return names;
}
