/** PostgreSQL's regular expressions and LIKE patterns as DuckDB reads them. */
import { unsupported } from '../binder/errors.ts';

/**
 * Both know brackets, groups, classes and counts alike. PostgreSQL's own escapes for borders of words are written anew; back
 * references and looking around, which DuckDB's expressions lack, are refused.
 */
export function duckdbPattern(pattern: string, at: number): string {
  const plain = pattern.startsWith('***:') ? pattern.slice(4) : pattern;
  if (/\(\?[=!<]/.test(plain) || /\\[1-9]/.test(plain))
    throw unsupported('a regular expression that looks around or back', at);
  return plain.replace(/\\([mMyYAZ])/g, (_, escape: string) => WORD_ESCAPES[escape] ?? escape);
}

const WORD_ESCAPES: Readonly<Record<string, string>> = {
  m: '\\b',
  M: '\\b',
  y: '\\b',
  Y: '\\B',
  A: '\\A',
  Z: '\\z',
};
