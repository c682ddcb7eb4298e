import { attributeStatistics } from './attribute-statistics.ts';
import { fitMetadata } from './fit-metadata.ts';
import { mergeAttributes, stillKnown, withKeyAttributes } from './merge-attributes.ts';
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
  return fitMetadata(
    Object.freeze({
      ...description,
      ...sizes(description, sample, previous),
      kind: 'table-metadata',
      attributes: withKeyAttributes(met, description),
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

/** Since when an attribute has been missed stays as it is; one that is missed for the first time is missed from now. */
function carriedOver(
  previous: TableMetadata,
  nowMs: number,
  describedAt: string,
): readonly AttributeStatistics[] {
  return stillKnown(previous.attributes, nowMs)
    .filter(({ types }) => types.some(({ count }) => count > 0))
    .map((attribute) => ({ ...attribute, unsampledSince: attribute.unsampledSince ?? describedAt }));
}

/** DynamoDB counts every six hours or so: a sample that read everything knows better, and so does any against a 0. */
function sizes(
  description: TableDescription,
  sample: TableSample | null,
  previous: TableMetadata | null,
): Pick<TableMetadata, 'itemCount' | 'sizeBytes'> {
  if (sample !== null && (sample.complete || description.itemCount === 0)) {
    return { itemCount: sample.items.length, sizeBytes: sample.sizeBytes };
  }
  const { itemCount, sizeBytes } = description.itemCount === 0 && previous !== null ? previous : description;
  return { itemCount, sizeBytes };
}
