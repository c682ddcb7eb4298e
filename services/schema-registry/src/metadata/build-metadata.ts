import { attributeStatistics } from './attribute-statistics.ts';
import { fitMetadata } from './fit-metadata.ts';
import { withDistinctValues } from './distinct-values.ts';
import type { EstimateRange } from './estimate-range.ts';
import { withCoverage } from './index-coverage.ts';
import { itemsPerKey } from './items-per-key.ts';
import { inTheirPlaces, mergeAttributes, stillKnown, withKeyAttributes } from './merge-attributes.ts';
import type { TableSample } from './sample-table.ts';
import type { AttributeStatistics, TableDescription, TableMetadata } from './table-metadata.ts';

/**
 * A table's metadata from what has just been read, together with what is still worth keeping of what was known.
 * `sample` is null where no item may be read; then attributes and sample of before stay.
 */
export function buildMetadata(
  description: TableDescription,
  sample: TableSample | null,
  previous: TableMetadata | null,
  nowMs: number,
): TableMetadata {
  const describedAt = new Date(nowMs).toISOString();
  const met =
    sample === null ? (previous?.attributes ?? []) : afterSample(sample, previous, nowMs, describedAt);
  const sized = sizes(description, sample, previous);
  const perKey = partitionItems(sized, sample, previous);
  const all = withKeyAttributes(met, description);
  const wasSampled = previous !== null && previous.sampledAt !== null;
  const attributes = wasSampled ? inTheirPlaces(all, previous.attributes, describedAt) : all;
  return fitMetadata(
    Object.freeze({
      ...description,
      ...sized,
      indexes: withCoverage(sized.indexes, sample, previous, nowMs),
      kind: 'table-metadata',
      attributes:
        sample === null
          ? attributes
          : withDistinctValues(attributes, sample, { ...description, ...sized, itemsPerKey: perKey }),
      itemsPerKey: perKey,
      sampledItems: sample === null ? (previous?.sampledItems ?? 0) : sample.items.length,
      describedAt,
      sampledAt: sample === null ? (previous?.sampledAt ?? null) : describedAt,
    }),
  );
}

function afterSample(
  sample: TableSample,
  previous: TableMetadata | null,
  nowMs: number,
  describedAt: string,
): readonly AttributeStatistics[] {
  const sampled = attributeStatistics(sample.items);
  // Whoever has read every item has nothing to learn from an older sample.
  if (sample.complete || previous === null) return sampled;
  return mergeAttributes(sampled, carriedOver(previous, nowMs, describedAt), describedAt);
}

/**
 * Keeps since when an attribute has been missing. An attribute that is missing for the first time is missing from
 * now.
 */
function carriedOver(
  previous: TableMetadata,
  nowMs: number,
  describedAt: string,
): readonly AttributeStatistics[] {
  return stillKnown(previous.attributes, nowMs)
    .filter(({ types }) => types.some(({ count }) => count > 0))
    .map((attribute) => ({ ...attribute, unsampledSince: attribute.unsampledSince ?? describedAt }));
}

function partitionItems(
  { itemCount }: Sizes,
  sample: TableSample | null,
  previous: TableMetadata | null,
): EstimateRange | null {
  if (sample === null) return previous?.itemsPerKey ?? null;
  return itemsPerKey(sample.runs, itemCount);
}

type Sizes = Pick<TableMetadata, 'itemCount' | 'sizeBytes' | 'indexes'>;

/**
 * DynamoDB counts items every six hours or so. A sample that read everything knows better. A partial sample that saw
 * more items than were counted shows that the counts lag, of the table and of its indexes. Then the count from before
 * is nearer; without one, the count is 0 (not known), and the bytes are those of the sampled items.
 */
function sizes(
  description: TableDescription,
  sample: TableSample | null,
  previous: TableMetadata | null,
): Sizes {
  const { itemCount, indexes } = description;
  const sampled = sample?.items.length ?? 0;
  if (sample?.complete === true) return { itemCount: sampled, sizeBytes: sample.sizeBytes, indexes };
  const lags = sample === null ? itemCount === 0 : itemCount < Math.max(1, sampled);
  if (lags && previous !== null && (sample === null || previous.itemCount > sampled))
    return { itemCount: previous.itemCount, sizeBytes: previous.sizeBytes, indexes };
  if (lags) return { itemCount: 0, sizeBytes: sample?.sizeBytes ?? 0, indexes: indexes.map(uncounted) };
  if (description.sizeBytes > 0 || sampled === 0)
    return { itemCount, sizeBytes: description.sizeBytes, indexes };
  return { itemCount, sizeBytes: Math.round((itemCount * (sample?.sizeBytes ?? 0)) / sampled), indexes };
}

function uncounted(index: TableMetadata['indexes'][number]): TableMetadata['indexes'][number] {
  return Object.freeze({ ...index, itemCount: 0, sizeBytes: 0 });
}
