import { setImmediate } from 'node:timers/promises';
import type { AstQuery } from './ast.ts';
import { spellOutAliases } from './cross-check/bare-aliases.ts';
import { spellCharCalls } from './cross-check/char-calls.ts';
import { areSameText, firstDifference } from './cross-check/compare.ts';
import { toDuckDbText } from './cross-check/duckdb-text.ts';
import { spellOutNamedJoins } from './cross-check/named-joins.ts';
import { spellPrintedOperators } from './cross-check/operators.ts';
import { quoteReservedNames } from './cross-check/reserved-names.ts';
import { spellQualifiedStars } from './cross-check/qualified-stars.ts';
import { spellSampleSeeds } from './cross-check/sample-seeds.ts';
import { isNode, readTree, type DuckDbTree } from './cross-check/tree.ts';
import { print } from './print.ts';

/** Gives what DuckDB's `json_serialize_sql` returns for a text: its parse tree, or an error, as JSON. */
export type SerializeSql = (sql: string) => Promise<string>;

/**
 * `Agreed`: DuckDB reads the caller's text as we do. `Disagreed`: it does not; `where` is the path in its tree of the
 * first difference. `Unreadable`: it cannot read the caller's text (`original`) or ours (`printed`).
 * Only a query that is agreed on may run. An unreadable original is the caller's (DuckDB's parser also checks some
 * calls, such as IF with two arguments); anything else is an internal error, as refusing is better than wrong rows.
 */
export type CrossCheckOutcome =
  | { readonly kind: 'Agreed' }
  | { readonly kind: 'Disagreed'; readonly where: string }
  | { readonly kind: 'Unreadable'; readonly text: 'original' | 'printed'; readonly reason: string };

/**
 * Checks whether `query` is what `original` says, by DuckDB's parse trees of the original and of our printed text.
 * `^` is an operator like any other here: both texts have it in the same places, and its binding is DuckDB's.
 */
export async function crossCheck(
  original: string,
  query: AstQuery,
  serialize: SerializeSql,
): Promise<CrossCheckOutcome> {
  const printed = await serialize(spellPrintedOperators(spellQualifiedStars(spellSampleSeeds(print(query)))));
  const names = [
    ...quoteReservedNames(query),
    ...spellCharCalls(original, query),
    ...spellOutNamedJoins(query),
  ];
  const outcome = await compareTrees(await serialize(toDuckDbText(original, names)), printed);
  if (outcome.kind !== 'Unreadable' || outcome.text !== 'original') return outcome;
  // Only then, since a word wrongly taken for an alias would be hidden by an AS before it.
  const aliases = spellOutAliases(original, query);
  return aliases.length === 0
    ? outcome
    : compareTrees(await serialize(toDuckDbText(original, [...aliases, ...names])), printed);
}

/**
 * The same for trees that are at hand, as the JSON of `json_serialize_sql`. Those of a long statement are megabytes, so
 * that other work comes between reading and comparing them.
 */
export async function compareTrees(originalTree: string, printedTree: string): Promise<CrossCheckOutcome> {
  if (areSameText(originalTree, printedTree)) return AGREED;
  const pause = (): unknown => (originalTree.length > LONG_TREE_CHARS ? setImmediate() : undefined);
  await pause();
  const original = readTree(originalTree);
  if (!isRead(original)) return unreadable('original', original);
  await pause();
  const printed = readTree(printedTree);
  if (!isRead(printed)) return unreadable('printed', printed);
  await pause();
  const where = firstDifference(original, printed);
  return where === null ? AGREED : Object.freeze({ kind: 'Disagreed', where });
}

/** Trees of this length take milliseconds to read. */
const LONG_TREE_CHARS = 50_000;
const AGREED: CrossCheckOutcome = Object.freeze({ kind: 'Agreed' });

const isRead = (tree: DuckDbTree): boolean => isNode(tree) && tree['error'] === false;

function unreadable(text: 'original' | 'printed', tree: DuckDbTree): CrossCheckOutcome {
  const message = isNode(tree) ? tree['error_message'] : undefined;
  return Object.freeze({
    kind: 'Unreadable',
    text,
    reason: typeof message === 'string' ? message : 'no tree',
  });
}
