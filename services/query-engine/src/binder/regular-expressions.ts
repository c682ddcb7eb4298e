/** `~` and its kin, and SIMILAR TO, as calls of REGEXP_MATCHES. */
import { functionCall, literal, not } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import type { BinaryOperator, Position } from '../parser/ast.ts';

type MatchOperator = Extract<BinaryOperator, '~' | '!~' | '~*' | '!~*'>;

/** As PostgreSQL has it: the pattern may match anywhere in the text. */
export function matches(
  operator: MatchOperator,
  text: Expression,
  pattern: Expression,
  pos: Position,
): Expression {
  const options = operator.endsWith('*') ? [literal({ type: 'text', value: 'i' }, pos)] : [];
  const call = functionCall('REGEXP_MATCHES', [text, pattern, ...options], pos);
  return operator.startsWith('!') ? not(call, pos) : call;
}

/** Where a pattern is no constant or no pattern: what to throw. */
type Fail = (message: string, hint?: string) => Error;

/** The standard's SIMILAR TO: the pattern has to match the whole text. */
export function similarTo(
  text: Expression,
  pattern: Expression,
  negated: boolean,
  pos: Position,
  fail: Fail,
): Expression {
  if (pattern.kind !== 'Literal' || (pattern.value.type !== 'text' && pattern.value.type !== 'null')) {
    throw fail('The pattern of SIMILAR TO must be a text constant', 'or write REGEXP_MATCHES(text, pattern)');
  }
  const { value } = pattern;
  const regex =
    value.type === 'null'
      ? pattern
      : literal({ type: 'text', value: regexOf(value.value, fail) }, pattern.pos);
  const call = functionCall('REGEXP_MATCHES', [text, regex, literal({ type: 'text', value: 's' }, pos)], pos);
  return negated ? not(call, pos) : call;
}

/** Characters that mean the same in both; and those that mean something in a regular expression alone. */
const SHARED = new Set('|*+?()'.split(''));
const REGEX_ONLY = new Set('.^$]}'.split(''));

/** `%` is any text and `_` any character; `| * + ? {2} ( ) [ ]` are as in regular expressions; a backslash escapes. */
function regexOf(pattern: string, fail: Fail): string {
  let regex = '';
  let at = 0;
  const rest = (): string => pattern.slice(at);
  while (at < pattern.length) {
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    let length = character.length;
    if (character === '%') regex += '.*';
    else if (character === '_') regex += '.';
    else if (character === '\\') {
      const next = pattern.codePointAt(at + 1);
      if (next === undefined)
        throw fail('The pattern of SIMILAR TO ends in a backslash', 'write two for a plain one');
      const escaped = String.fromCodePoint(next);
      regex += plain(escaped);
      length += escaped.length;
    } else if (character === '[') {
      const set = /^\[\^?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]/su.exec(rest())?.[0];
      if (set === undefined) throw fail("The pattern of SIMILAR TO has a '[' that is not closed");
      regex += set;
      length = set.length;
    } else if (character === '{') {
      const times = /^\{\d{1,3}(?:,\d{0,3})?\}/.exec(rest())?.[0];
      if (times === undefined) throw fail("The pattern of SIMILAR TO has a '{' that counts nothing");
      regex += times;
      length = times.length;
    } else if (SHARED.has(character)) regex += character;
    else regex += REGEX_ONLY.has(character) ? plain(character) : character;
    at += length;
  }
  return `^(?:${regex})$`;
}

const plain = (character: string): string =>
  /[\\.^$|()[\]{}*+?]/.test(character) ? `\\${character}` : character;
