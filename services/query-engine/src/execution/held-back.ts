/** Keeps the first parts of a result back until enough was read to say which columns it has. */
import type { KeptAnswers } from '../dynamodb/reader/kept-answers.ts';
import type { LateChecks } from './late-checks.ts';
import { LOOKED_AHEAD_BYTES } from './limits.ts';
import type { ResultFormat } from './results/row-format.ts';
import type { ResultPart } from './results/result.ts';

/**
 * Bytes of answers, or of rows, that are enough. A page of JSON is made whole before its first part, and rows of NDJSON are
 * wanted as they come.
 */
export const HELD_BYTES: Readonly<Record<ResultFormat, number>> = Object.freeze({
  json: 0,
  ndjson: 0,
  csv: LOOKED_AHEAD_BYTES,
  parquet: LOOKED_AHEAD_BYTES,
});

/** Checks before the first part goes out, and before each after these; both may throw. */
export async function* heldBack(
  parts: AsyncIterable<ResultPart>,
  bytesMax: number,
  read: Pick<KeptAnswers, 'bytes' | 'isWhole'> | null,
  { checkFirst, check }: Pick<LateChecks, 'checkFirst' | 'check'>,
): AsyncGenerator<ResultPart> {
  let held: ResultPart[] | null = [];
  let bytes = 0;
  for await (const part of parts) {
    if (held === null) {
      check();
      yield part;
      continue;
    }
    held.push(part);
    if (part.kind === 'rows') bytes += part.json.length;
    // Where answers are not kept, more columns cannot come of waiting.
    const isRead = read === null || !read.isWhole || read.bytes >= bytesMax;
    const isEnough = part.kind === 'rows' && (bytes >= bytesMax || isRead);
    if (part.kind !== 'end' && !isEnough) continue;
    checkFirst();
    const first = held;
    held = null;
    yield* first;
  }
}
