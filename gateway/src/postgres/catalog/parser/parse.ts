/** PostgreSQL's own parser, as WebAssembly: what it takes and what it says of what it does not are PostgreSQL's. */
import { loadModule, parseSync, hasSqlDetails, type Node } from 'libpg-query';
import { PgError } from '../../errors/pg-error.ts';
import { CATALOG_SQL_BYTES_MAX, NESTING_MAX } from '../limits.ts';

export type { Node };

await loadModule();

/** Brackets inside of brackets, as many as there are at most; quoted ones count too, which is no harm. */
function nestingOf(sql: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < sql.length; i++) {
    const code = sql.charCodeAt(i);
    if (code === 0x28 || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x29 || code === 0x5d) depth--;
  }
  return deepest;
}

/**
 * The parser failed by itself: its stack was full, and what it took of its memory is not given back. Whatever it says next is
 * not to be trusted, so its process ends.
 */
export class ParserBroken extends PgError {}

const TOO_DEEP = 'stack depth limit exceeded';

const tooComplex = (message: string): PgError =>
  new PgError({ code: '54001', message, hint: 'Use fewer levels of nesting.' });

/**
 * The statements of a text.
 *
 * @throws PgError 42601 where it is no SQL of PostgreSQL's, 54001 or 54000 where it is too deep or too long; ParserBroken
 */
export function parseStatements(sql: string): readonly Node[] {
  if (Buffer.byteLength(sql) > CATALOG_SQL_BYTES_MAX) {
    throw new PgError({
      code: '54000',
      message: `A statement over system catalogs has at most ${CATALOG_SQL_BYTES_MAX} bytes`,
    });
  }
  if (nestingOf(sql) > NESTING_MAX) throw tooComplex(TOO_DEEP);
  try {
    const { stmts = [] } = parseSync(sql);
    return stmts.flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]));
  } catch (error) {
    if (!hasSqlDetails(error) || error.sqlDetails === undefined)
      throw new ParserBroken(tooComplex(TOO_DEEP).fields, { cause: error });
    const { message, cursorPosition } = error.sqlDetails;
    if (/^memory exhausted/.test(message)) throw tooComplex(message);
    throw new PgError({
      code: '42601',
      message,
      ...(cursorPosition >= 0 ? { position: cursorPosition + 1 } : {}),
    });
  }
}
