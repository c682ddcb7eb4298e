import type { AstQuery } from './ast.ts';
import { ParserInternalError, SqlSyntaxError } from './errors.ts';
import { finishTree } from './finish.ts';
import { readStatement } from './reader/statement.ts';

/**
 * Parses one SELECT statement into a tree that is frozen all the way down.
 *
 * The text is cut into tokens, which are read once from left to right: by one reader a clause, and operators by the
 * table of precedence.
 * @throws SqlSyntaxError if the text is no SQL, not supported, or beyond PARSER_LIMITS.
 * @throws ParserInternalError if the parser fails in any other way; its cause is private.
 */
export function parse(sql: string): AstQuery {
  try {
    return finishTree(sql, readStatement(sql));
  } catch (error) {
    if (error instanceof SqlSyntaxError || error instanceof ParserInternalError) throw error;
    throw new ParserInternalError('the parser failed', { cause: error });
  }
}
