/**
 * What DynamoDB charges for an eventually consistent read (developer guide, "DynamoDB read consumption" and "Item sizes and
 * formats"): Query and Scan add sizes up and round a page up to 4 KB; GetItem and BatchGetItem round each item up.
 */

const UNIT_BYTES = 4096;
const PAGE_BYTES_MAX = 1024 * 1024;
const HALF = 0.5;

/** Of one page, or one item read by key. */
export function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / UNIT_BYTES)) * HALF;
}

/** Of a Query or Scan over these entries to their end. */
export function unitsOfPages(entries: readonly { readonly bytes: number }[]): number {
  let units = 0;
  let page = 0;
  for (const { bytes } of entries) {
    page += bytes;
    if (page < PAGE_BYTES_MAX) continue;
    units += unitsOf(page);
    page = 0;
  }
  // The last page tells that there is no more, whether it holds anything or not.
  return units + (page > 0 || units === 0 ? unitsOf(page) : 0);
}
