import { syntaxError } from '../errors.ts';
import { PARSER_LIMITS } from '../limits.ts';
import type { Token } from '../lexer/token.ts';
import { unexpected, unsupported } from './statement.ts';

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', CASE: 'END' };
const NAMES: Readonly<Record<string, string>> = { '(': "'('", '[': "'['", '{': "'{'", CASE: 'CASE' };

/**
 * For every opening bracket and CASE, the index of the token that closes it; -1 for all other tokens.
 * @throws SqlSyntaxError where one is not closed, closes nothing, or lies too deep.
 */
export function matchBrackets(sql: string, tokens: readonly Token[]): readonly number[] {
  const closing = new Array<number>(tokens.length).fill(-1);
  const open: number[] = [];
  tokens.forEach((token, index) => {
    const { upper } = token;
    if (token.type === 'word' && isName(tokens, index)) return;
    if (upper in CLOSERS) {
      open.push(index);
      if (open.length > PARSER_LIMITS.nestingMax) {
        throw unsupported({ sql, tokens }, index, `nesting deeper than ${PARSER_LIMITS.nestingMax} levels`);
      }
    } else if (upper === ')' || upper === ']' || upper === '}' || upper === 'END') {
      const opener = open.pop();
      const expected = opener === undefined ? undefined : CLOSERS[tokens[opener]?.upper ?? ''];
      if (opener === undefined || expected !== upper) {
        throw unexpected({ sql, tokens }, index, expected === undefined ? [] : [quoteBracket(expected)]);
      }
      closing[opener] = index;
    }
  });
  const unclosed = tokens[open.at(-1) ?? -1];
  if (unclosed !== undefined) {
    const closer = quoteBracket(CLOSERS[unclosed.upper] ?? '');
    throw syntaxError(
      'parse',
      sql,
      unclosed.position,
      `unclosed ${NAMES[unclosed.upper]}`,
      `${closer} is missing`,
    );
  }
  return closing;
}

const quoteBracket = (closer: string): string => (closer === 'END' ? closer : `'${closer}'`);

/** CASE and END after a dot or AS are names: `k.end`, `id AS end`. */
function isName(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.upper;
  return before === '.' || before === 'AS';
}
