import type { Position } from '../ast.ts';
import { ParserInternalError, syntaxError, type SqlSyntaxError } from '../errors.ts';
import type { Mark } from '../marks.ts';
import type { Statement } from '../prepass/statement.ts';
import { readChain, type LibraryLink } from './library.ts';

/** What every part of the tree building needs: the statement, its placeholders, the windows in reach. */
export interface TreeContext {
  readonly statement: Statement;
  readonly marks: readonly Mark[];
  /** The parts of each named window of this SELECT, not yet read, by its name in lower case. */
  readonly windows: ReadonlyMap<string, readonly unknown[]>;
  /** Whether a window is being read, inside of which there can be no other. */
  readonly inWindow: boolean;
}

/** A link of a chain with what its placeholder stands for. */
export type Link =
  | { readonly kind: 'Marked'; readonly mark: Mark; readonly operands: readonly unknown[] }
  | Extract<LibraryLink, { kind: 'Case' }>;

/** What a placeholder stands for. */
export function markOf(context: TreeContext, placeholder: number): Mark {
  const mark = context.marks[placeholder];
  if (mark === undefined) throw new ParserInternalError('the grammar invented a placeholder');
  return mark;
}

/** The links of a chain, from left to right. */
export function linksOf(context: TreeContext, node: unknown): readonly Link[] {
  return readChain(node).map((link) =>
    link.kind === 'Case'
      ? link
      : { kind: 'Marked', mark: markOf(context, link.index), operands: link.operands },
  );
}

/** The single call that a node is, with what it stands for. */
export function callOf(
  context: TreeContext,
  node: unknown,
): { readonly mark: Mark; readonly operands: readonly unknown[] } {
  const [link, ...others] = linksOf(context, node);
  if (link?.kind !== 'Marked' || others.length > 0) throw misplaced('a chain');
  return link;
}

/** The operands of each call of a kind in the chain that the grammar's WHERE or HAVING is; none where it is absent. */
export function readContents(
  context: TreeContext,
  chain: unknown,
  kind: Mark['kind'],
): readonly (readonly unknown[])[] {
  if (chain === null) return [];
  return linksOf(context, chain).flatMap((link) =>
    link.kind === 'Marked' && link.mark.kind === kind ? [link.operands] : [],
  );
}

/** The error for a placeholder in a place where the pre-pass never writes it. */
export const misplaced = (what: string): ParserInternalError =>
  new ParserInternalError(`the grammar misplaced ${what}`);

/** The error for SQL that reads well word by word but not together. */
export function refuse(
  context: TreeContext,
  position: Position,
  what: string,
  advice?: string,
): SqlSyntaxError {
  return syntaxError('parse', context.statement.sql, position, what, advice);
}
