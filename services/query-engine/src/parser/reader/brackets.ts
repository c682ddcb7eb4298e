import { PARSER_LIMITS } from '../limits.ts';
import type { Token } from '../lexer/token.ts';
import { CLOSES } from './lookahead.ts';
import { refuse, unexpected, unsupported } from './refusals.ts';

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ...([
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
    ['CASE', 'END'],
  ] as const),
]);
const CLOSING: ReadonlySet<string> = new Set(CLOSERS.values());

/**
 * For every opening bracket and CASE, the index of the token that closes it; CLOSES for that one, -1 for
 * all others.
 * @throws SqlSyntaxError where one is not closed, closes nothing, or lies too deep.
 */
export function matchBrackets(sql: string, tokens: readonly Token[]): Int32Array {
  const text = { sql, tokens };
  const closing = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  tokens.forEach((token, index) => {
    const { upper } = token;
    const opens = CLOSERS.has(upper);
    if (!opens && !CLOSING.has(upper)) return;
    if (token.type === 'word' && isName(tokens, index)) return;
    if (opens) {
      open.push(index);
      if (open.length > PARSER_LIMITS.nestingMax) {
        throw unsupported(text, index, `nesting deeper than ${PARSER_LIMITS.nestingMax} levels`);
      }
      return;
    }
    const opener = open.pop();
    const expected = opener === undefined ? undefined : CLOSERS.get(tokens[opener]?.upper ?? '');
    if (opener === undefined || expected !== upper) {
      throw unexpected(text, index, expected === undefined ? [] : [quoted(expected)]);
    }
    closing[opener] = index;
    closing[index] = CLOSES;
  });
  const unclosed = tokens[open.at(-1) ?? -1];
  if (unclosed !== undefined) {
    const closer = quoted(CLOSERS.get(unclosed.upper) ?? '');
    throw refuse(text, unclosed.position, `unclosed ${quoted(unclosed.upper)}`, `${closer} is missing`);
  }
  return closing;
}

const quoted = (bracket: string): string => (/^\w/.test(bracket) ? bracket : `'${bracket}'`);

/** CASE and END after a dot or AS are names: `k.end`, `id AS end`. */
function isName(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.upper;
  return before === '.' || before === 'AS';
}
