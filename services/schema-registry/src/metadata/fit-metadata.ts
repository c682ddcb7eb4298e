import { ATTRIBUTES_MAX, METADATA_JSON_BYTES_MAX } from '../limits.ts';
import { byName, mostFrequent } from './attribute-statistics.ts';
import { keyAttributes } from './merge-attributes.ts';
import type { AttributeStatistics, TableMetadata } from './table-metadata.ts';

/** True when an encoded form is not too large; the store's own bound is passed in as one. */
type Fits = (metadata: TableMetadata) => boolean;

/**
 * The metadata with as many attributes as may be kept, keys first, then the most frequent: at most ATTRIBUTES_MAX,
 * and fewer while their names are so long that the whole would not fit.
 */
export function fitMetadata(metadata: TableMetadata, fits: Fits = isShort): TableMetadata {
  const keys = new Set(keyAttributes(metadata).map(({ name }) => name));
  const isKey = ({ name }: AttributeStatistics): boolean => keys.has(name);
  const kept = metadata.attributes.filter(isKey);
  const others = metadata.attributes.filter((attribute) => !isKey(attribute));
  let room = Math.max(0, ATTRIBUTES_MAX - kept.length);
  if (others.length <= room && fits(metadata)) return metadata;
  for (;;) {
    const attributes = byName([...kept, ...mostFrequent(others, room)]);
    const fitted: TableMetadata = Object.freeze({ ...metadata, attributes });
    if (room === 0 || fits(fitted)) return fitted;
    room = Math.floor(Math.min(room, others.length) / 2);
  }
}

function isShort(metadata: TableMetadata): boolean {
  return Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_JSON_BYTES_MAX;
}
