import nodeSqlParser from 'node-sql-parser/build/postgresql.js';
import { ParserInternalError } from './errors.ts';
import type { Draft } from './prepass/draft.ts';
import { unexpected, type Statement } from './prepass/statement.ts';

const OPTIONS = { database: 'postgresql', trimQuery: false };
const grammar = new nodeSqlParser.Parser();

/**
 * The draft's tree as the library gives it, of unknown shape.
 * @throws SqlSyntaxError at the token where the grammar got stuck; ParserInternalError if it failed otherwise.
 */
export function parseDraft(statement: Statement, draft: Draft): unknown {
  try {
    return grammar.astify(draft.text, OPTIONS);
  } catch (error) {
    const offset = failureOffset(error);
    if (offset === undefined) throw new ParserInternalError('the grammar failed', { cause: error });
    const token = offset >= draft.text.length ? statement.end : draft.tokenAtOffset(offset);
    throw unexpected(statement, token);
  }
}

function failureOffset(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('location' in error)) return undefined;
  const location = error.location as { readonly start?: { readonly offset?: unknown } } | undefined;
  const offset = location?.start?.offset;
  return typeof offset === 'number' ? offset : undefined;
}
