import type { Expression } from '../../../logical/expression.ts';
import { constantCount, constantText } from './text-conditions.ts';

/** A part of a text between delimiters. */
export interface TextPart {
  readonly whole: Expression;
  /** Not empty. */
  readonly delimiter: string;
  /** From 1. */
  readonly place: number;
}

/**
 * The part that `SPLIT_PART(k, '#', 2)` or `SPLIT(k, '#')[1]` is; null for any other expression, for places that count
 * from the end, and for the empty delimiter, which parts all characters.
 */
export function partOf(node: Expression): TextPart | null {
  if (node.kind === 'DocumentAccess') {
    const [step] = node.path;
    if (node.path.length !== 1 || typeof step !== 'number' || step < 0) return null;
    return splitBy(node.operand, ['SPLIT', 'STRING_TO_ARRAY'], step + 1);
  }
  const place = node.kind === 'FunctionCall' ? constantCount(node.arguments[2]) : null;
  return place === null ? null : splitBy(node, ['SPLIT_PART'], place);
}

function splitBy(call: Expression, names: readonly string[], place: number): TextPart | null {
  if (call.kind !== 'FunctionCall' || !names.includes(call.name)) return null;
  const [whole, by] = call.arguments;
  const delimiter = constantText(by);
  return whole === undefined || delimiter === null || delimiter === '' ? null : { whole, delimiter, place };
}
