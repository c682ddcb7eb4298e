import type { AstQuery } from './ast.ts';
import { spellOutAliases } from './judge/bare-aliases.ts';
import { toDuckDbText } from './judge/duckdb-text.ts';
import { quoteReservedNames } from './judge/reserved-names.ts';
import { normalise } from './judge/normalise.ts';
import { spellQualifiedStars } from './judge/qualified-stars.ts';
import { firstDifference, isNode, readTree } from './judge/tree.ts';
import { print } from './print.ts';

/** Gives what DuckDB's `json_serialize_sql` returns for a text: its parse tree, or an error, as JSON. */
export type SerializeSql = (sql: string) => Promise<string>;

/**
 * `Agreed`: DuckDB reads the caller's text as we do. `Disagreed`: it does not; `where` is the path in its tree of the
 * first difference. `Unreadable`: it cannot read the caller's text (`original`) or ours (`printed`).
 * Only a query that is agreed on may run. An unreadable original is the caller's (DuckDB's parser also checks some
 * calls, such as IF with two arguments); anything else is an internal error, as refusing is better than wrong rows.
 */
export type Verdict =
  | { readonly kind: 'Agreed' }
  | { readonly kind: 'Disagreed'; readonly where: string }
  | { readonly kind: 'Unreadable'; readonly text: 'original' | 'printed'; readonly reason: string };

/**
 * Judges whether `query` is what `original` says, by DuckDB's parse trees of the original and of our printed text.
 * `^` is an operator like any other here: both texts have it in the same places, and its binding is DuckDB's.
 */
export async function judge(original: string, query: AstQuery, serialize: SerializeSql): Promise<Verdict> {
  const printed = await serialize(spellQualifiedStars(print(query)));
  const names = quoteReservedNames(query);
  const verdict = compareTrees(await serialize(toDuckDbText(original, names)), printed);
  if (verdict.kind !== 'Unreadable' || verdict.text !== 'original') return verdict;
  // Only then, since a word wrongly taken for an alias would be hidden by an AS before it.
  const aliases = spellOutAliases(original, query);
  return aliases.length === 0
    ? verdict
    : compareTrees(await serialize(toDuckDbText(original, [...aliases, ...names])), printed);
}

/** The same for trees that are at hand, as the JSON of `json_serialize_sql`. */
export function compareTrees(originalTree: string, printedTree: string): Verdict {
  const original = readTree(originalTree);
  const printed = readTree(printedTree);
  for (const [text, tree] of [
    ['original', original],
    ['printed', printed],
  ] as const) {
    if (!isNode(tree) || tree['error'] !== false) {
      const message = isNode(tree) ? tree['error_message'] : undefined;
      return Object.freeze({
        kind: 'Unreadable',
        text,
        reason: typeof message === 'string' ? message : 'no tree',
      });
    }
  }
  const where = firstDifference(normalise(original), normalise(printed));
  return Object.freeze(where === null ? { kind: 'Agreed' } : { kind: 'Disagreed', where });
}
