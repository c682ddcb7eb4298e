/** Texts that quote what a caller wrote: names and values of any length. */

/** What a PenstockError says at most, in UTF-8: both together fit the trailer of a gRPC response, which has 16 KiB. */
export const MESSAGE_BYTES_MAX = 1_024;
export const DETAIL_BYTES_MAX = 4_096;

const ELLIPSIS = '…';

/** The text, or its beginning and an ellipsis, in at most so many bytes of UTF-8. No character is cut in half. */
export function shortened(text: string, maxBytes: number): string {
  // No character takes more than three bytes for each of its code units.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes - Buffer.byteLength(ELLIPSIS);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString('utf8', 0, end)}${ELLIPSIS}`;
}
