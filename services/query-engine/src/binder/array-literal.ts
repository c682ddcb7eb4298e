/** Lists in PostgreSQL's spelling, `'{a,b}'` and `ARRAY[…]::text[]`, as the list `ARRAY[…]` that they stand for. */
import type { AstExpression } from '../parser/ast.ts';
import { PARSER_LIMITS } from '../parser/limits.ts';
import { plainCall } from '../parser/reader/function-calls.ts';
import { isNumberText } from './number-literal.ts';
import { typeOf } from './types.ts';

const QUOTED = /"(?:[^"\\]|\\.)*"/s;
const PLAIN = /(?:[^\s",{}\\]|\\.)(?:(?:[^",{}\\]|\\.)*(?:[^\s",{}\\]|\\.))?/s;
const ELEMENT = new RegExp(`\\s*(?:(${QUOTED.source})|(${PLAIN.source}))\\s*(,|\\}\\s*$)`, 'sy');

/** The elements of an array literal of one dimension, NULL as null; null where it is none. */
function arrayElements(text: string): readonly (string | null)[] | null {
  if (/^\s*\{\s*\}\s*$/.test(text)) return [];
  const elements: (string | null)[] = [];
  ELEMENT.lastIndex = text.indexOf('{') + 1;
  if (text.slice(0, ELEMENT.lastIndex).trim() !== '{') return null;
  for (;;) {
    const found = ELEMENT.exec(text);
    if (found === null || elements.length === PARSER_LIMITS.tokensMax) return null;
    const [, quoted, plain = '', end] = found;
    if (quoted === undefined && /^null$/i.test(plain)) elements.push(null);
    else elements.push((quoted?.slice(1, -1) ?? plain).replace(/\\(.)/gs, '$1'));
    if (end !== ',') return elements;
  }
}

/** Digits that every number of the type may have. */
const DIGITS: Readonly<Record<string, number>> = {
  TINYINT: 2,
  SMALLINT: 4,
  INTEGER: 9,
  BIGINT: 18,
  HUGEINT: 38,
};

/** Whether a text spells a number that a cast to the type leaves as it is. */
function isOfType(text: string, name: string): boolean {
  if (name === 'DECIMAL') return isNumberText(text);
  const digits = Object.hasOwn(DIGITS, name) ? DIGITS[name] : undefined;
  return digits !== undefined && /^-?\d+$/.test(text) && text.replace('-', '').length <= digits;
}

/** An element as the type: as a constant where that can be, by which keys are looked up. */
function asType(element: AstExpression, type: string): AstExpression {
  const { pos } = element;
  const { name = '', length = null } = typeOf(type) ?? {};
  if (element.kind === 'NullLiteral') return element;
  if (element.kind === 'StringLiteral' && name === 'VARCHAR' && length === null) return element;
  if (element.kind === 'NumberLiteral' && isOfType(element.text, name)) return element;
  const text = element.kind === 'StringLiteral' ? element.value.trim().replace(/^\+/, '') : '';
  if (!isOfType(text, name)) return { kind: 'Cast', operand: element, type, tryCast: false, pos };
  const number: AstExpression = { kind: 'NumberLiteral', text: text.replace('-', ''), pos };
  return text.startsWith('-') ? { kind: 'Unary', operator: '-', operand: number, pos } : number;
}

/** What an expression says of a list that is written in it. */
export type WrittenList = Extract<AstExpression, { kind: 'FunctionCall' }> | 'malformed' | null;

/** The list that a constant stands for, of elements of the type; null: of what they are. Null for any other expression. */
export function writtenList(node: AstExpression, type: string | null = null): WrittenList {
  if (node.kind === 'Cast' && node.type.endsWith('[]'))
    return writtenList(node.operand, node.type.slice(0, -2));
  const { pos } = node;
  const typed = (element: AstExpression): AstExpression => (type === null ? element : asType(element, type));
  if (node.kind === 'FunctionCall' && node.name === 'LIST_VALUE')
    return plainCall('LIST_VALUE', node.arguments.map(typed), pos);
  if (node.kind !== 'StringLiteral') return null;
  const elements = arrayElements(node.value);
  if (elements === null) return 'malformed';
  const constants = elements.map((value): AstExpression => {
    return value === null ? { kind: 'NullLiteral', pos } : { kind: 'StringLiteral', value, pos };
  });
  return plainCall('LIST_VALUE', constants.map(typed), pos);
}
