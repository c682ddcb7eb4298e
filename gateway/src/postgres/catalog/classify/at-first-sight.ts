/** Most statements over tables are known without a parser, and so in this process. */
import { CATALOG_SQL_BYTES_MAX } from '../limits.ts';

/** Words of which a statement over catalogs has one. */
const MAY_NAME_CATALOG = /pg_|information_schema/i;
/** A name after FROM that is no function, and no word of an expression that has a FROM. */
const NAMES_TABLE = /\bfrom\s+["a-z_][^\s(),;]*(?:\s*[),;]|\s+[^\s(]|\s*$)/i;
const OTHER_FROM = /\b(?:extract|trim|substring|position|overlay|distinct)\b/i;

/** True for statements that read tables alone, false for all of which that is not clear. */
export function readsTables(sql: string): boolean {
  if (Buffer.byteLength(sql) > CATALOG_SQL_BYTES_MAX) return true;
  return !MAY_NAME_CATALOG.test(sql) && NAMES_TABLE.test(sql) && !OTHER_FROM.test(sql);
}
