import type { AstQuery } from './ast.ts';
import { ParserInternalError, SqlSyntaxError } from './errors.ts';
import { parseDraft } from './grammar.ts';
import { readStatement, writeDraft } from './prepass/prepass.ts';
import type { TreeContext } from './tree/context.ts';
import { finishTree } from './tree/finish.ts';
import { readQuery } from './tree/queries.ts';

/**
 * Parses one SELECT statement into a tree that is frozen all the way down.
 *
 * The text is cut into tokens, rewritten so that the library's grammar cannot misread it, parsed, and built into our
 * own tree, operators by our own table of precedence.
 * @throws SqlSyntaxError if the text is no SQL, not supported, or beyond PARSER_LIMITS.
 * @throws ParserInternalError if the parser fails in any other way; its cause is private.
 */
export function parse(sql: string): AstQuery {
  try {
    const statement = readStatement(sql);
    const draft = writeDraft(statement);
    const context: TreeContext = { statement, marks: draft.marks, windows: new Map(), inWindow: false };
    const query = readQuery(context, parseDraft(statement, draft));
    return finishTree(statement, query);
  } catch (error) {
    if (error instanceof SqlSyntaxError || error instanceof ParserInternalError) throw error;
    throw new ParserInternalError('the parser failed', { cause: error });
  }
}
