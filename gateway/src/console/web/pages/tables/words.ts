/** A table's keys and indexes in words. */
import { bytes, count } from '../../components/figures.ts';
import { percent } from '../common/percent.ts';
import type { DynamoDbType, TableDetails, TableIndex } from '../../../api/catalog.ts';

const TYPES: Readonly<Record<DynamoDbType, string>> = Object.freeze({
  S: 'text',
  N: 'number',
  B: 'bytes',
  BOOL: 'boolean',
  NULL: 'null',
  M: 'document',
  L: 'list',
  SS: 'set of texts',
  NS: 'set of numbers',
  BS: 'set of bytes',
});

export const typeInWords = (type: DynamoDbType): string => TYPES[type];

/** What an index holds. The named attributes are shown apart, as text. */
export function projectionInWords({ projection, nonKeyAttributes }: TableIndex): string {
  switch (projection) {
    case 'all':
      return 'all attributes';
    case 'keys':
      return 'keys only';
    case 'include':
      return `keys and ${nonKeyAttributes.length === 1 ? 'one attribute' : `${count(nonKeyAttributes.length)} attributes`}`;
  }
}

/** How full an index is, beside its table. */
export function fullnessInWords(index: TableIndex, { itemCount }: TableDetails): string {
  if (index.filled === undefined) return 'not counted';
  return `${percent(index.filled, 1)} of the items (${count(index.itemCount)} of ${count(itemCount)})`;
}

const COVERAGE: Readonly<Record<TableIndex['coverage'], string>> = Object.freeze({
  complete: 'Holds every item that has its keys.',
  assumed: 'Holds every item that has its keys, as far as items were looked at.',
  lacking:
    'Items were met that it lacks, though they have its keys: queries read it only where that does not matter.',
});

export const coverageInWords = ({ coverage }: TableIndex): string => COVERAGE[coverage];

/** `12,345 items, 4.2 MB`. */
export const sizeInWords = ({
  itemCount,
  sizeBytes,
}: Pick<TableDetails, 'itemCount' | 'sizeBytes'>): string =>
  `${count(itemCount)} ${itemCount === 1 ? 'item' : 'items'}, ${bytes(sizeBytes)}`;

/** What a scan of so many bytes costs, in read units: half a unit for each 4 KB. */
export function scanUnits(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 4_096) / 2;
}
