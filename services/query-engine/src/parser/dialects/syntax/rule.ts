import type { Dialect, DialectName } from '../dialect.ts';
import type { SourceToken } from '../source/source-token.ts';

/**
 * Spells a construct of other dialects as ours, token by token: what it does not name stays as it stands, in its place.
 * The same list where there is nothing to do. Throws NoOfferError where our dialect has no such construct.
 */
export type SyntaxRule = (tokens: readonly SourceToken[], dialect: Dialect) => readonly SourceToken[];

/** A rule for some dialects only. */
export const only =
  (names: readonly DialectName[], rule: SyntaxRule): SyntaxRule =>
  (tokens, dialect) =>
    names.includes(dialect.name) ? rule(tokens, dialect) : tokens;

/** Replaces tokens from one index up to another. */
export const spliced = (
  tokens: readonly SourceToken[],
  from: number,
  to: number,
  ...put: readonly SourceToken[]
): readonly SourceToken[] => [...tokens.slice(0, from), ...put, ...tokens.slice(to)];

/**
 * Applies a change at every index, from the last to the first, so that what stands inside of something is changed before
 * it. `change` gives the whole new list, or null where there is nothing to do.
 */
export function everywhere(
  tokens: readonly SourceToken[],
  change: (tokens: readonly SourceToken[], at: number) => readonly SourceToken[] | null,
): readonly SourceToken[] {
  let changed = tokens;
  for (let at = tokens.length - 1; at >= 0; at--) changed = change(changed, at) ?? changed;
  return changed;
}
