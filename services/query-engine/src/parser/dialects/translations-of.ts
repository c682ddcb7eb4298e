import { DIALECTS, type DialectName } from './dialect.ts';
import { NoOfferError } from './no-offer.ts';
import { isReadAs } from './package/read.ts';
import { tokenizeSource } from './source/tokenize-source.ts';
import { translate } from './translate.ts';

/** A statement in our dialect, and the dialects in which the original says just that. */
export interface Translation {
  readonly dialects: readonly DialectName[];
  readonly sql: string;
}

/**
 * What a statement says in the dialects that it may be of, as statements of ours: one, where all say the same.
 * May take exponential time, or all memory: for the worker only.
 */
export async function translationsOf(sql: string): Promise<readonly Translation[]> {
  const found = new Map<string, DialectName[]>();
  for (const dialect of DIALECTS) {
    try {
      const ours = translate(sql, dialect);
      if (!(await isReadAs(sql, tokenizeSource(sql, dialect), dialect))) continue;
      found.set(ours, [...(found.get(ours) ?? []), dialect.name]);
    } catch (error) {
      // Too deep for the recursion of this or of the package: no offer, as where it can't be said here.
      if (!(error instanceof NoOfferError) && !(error instanceof RangeError)) throw error;
    }
  }
  return [...found].map(([ours, dialects]) => ({ dialects, sql: ours }));
}
