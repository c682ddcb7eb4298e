import { parse } from '../parse.ts';
import { print } from '../print.ts';
import { SqlSyntaxError } from '../errors.ts';
import type { Dialect } from './dialect.ts';
import { translateTree } from './meaning/translate-tree.ts';
import { NoOfferError } from './no-offer.ts';
import { tokenizeSource } from './source/tokenize-source.ts';
import { writeTokens } from './source/write-tokens.ts';
import { rewriteTokens } from './syntax/rewrite-tokens.ts';

/**
 * A statement of a dialect in ours, on one line.
 *
 * Its own tokens are spelled as ours and read by our parser: so nothing that it says vanishes, every number keeps its
 * digits, and operators are grouped by our own table. Where that is not the dialect's grouping, or anything is not known to
 * mean the same, there is no translation.
 *
 * @throws NoOfferError with the reason
 */
export function translate(sql: string, dialect: Dialect): string {
  const tokens = rewriteTokens(tokenizeSource(sql, dialect), dialect);
  try {
    return print(translateTree(parse(writeTokens(tokens)), dialect));
  } catch (error) {
    if (error instanceof SqlSyntaxError) throw new NoOfferError(error.message);
    throw error;
  }
}
