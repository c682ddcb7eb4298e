import type { Expression } from '../../../logical/expression.ts';
import type { Beginning, ComparisonWithConstant, TurnAroundContext, TurnAroundRule } from '../rule.ts';
import { constantCount, either, inSpans, textOf, withoutCasts, type TextSpan } from './text-conditions.ts';
import { partOf } from './text-part.ts';
import { spansOfBeginning, spansOfFirstPart } from './text-spans.ts';

/** A later piece of a text. */
interface Piece {
  readonly whole: Expression;
  /** What stands before it, of a text that begins so; null where the beginning is too short to tell. */
  readonly before: (beginning: string) => string | null;
  /** Which texts behind that have such a piece. */
  readonly spans: (given: ComparisonWithConstant, text: string) => readonly TextSpan[] | null;
}

/**
 * `SPLIT_PART(k, '#', 2) op 'c'` and `SUBSTRING(k, 7, 10) op 'c'`, where conditions beside them say what `k` begins with, up to
 * there at least: then it is a range behind that. Without these they say nothing of where in the order of texts `k` is.
 */
export const behindBeginning: TurnAroundRule = Object.freeze({
  name: 'behind-beginning',
  comparison(given, context) {
    const text = textOf(given.value);
    const piece = text === null ? null : (partBehind(given.operand) ?? charactersBehind(given.operand));
    if (text === null || piece === null) return null;
    const column = withoutCasts(piece.whole, context);
    if (column.kind !== 'ColumnReference' || context.keyType(column) !== 'text') return null;
    const beginnings = context.beginnings(column.column);
    if (beginnings === null || beginnings.every((one) => piece.before(one.text) === null)) return null;
    const spans = piece.spans(given, text);
    if (spans === null) return null;
    // A text that ends before the piece has an empty one.
    const passesEmpty = text === '' || given.operator.startsWith('<');
    const all = beginnings.flatMap((one) => behind(column, one, piece, spans, passesEmpty, context));
    return all.length === 0 ? null : either(all);
  },
} satisfies TurnAroundRule);

/** What holds of texts that begin so and have the piece. */
function behind(
  column: Expression,
  { text, isWhole }: Beginning,
  piece: Piece,
  spans: readonly TextSpan[],
  passesEmpty: boolean,
  context: TurnAroundContext,
): readonly Expression[] {
  const before = piece.before(text);
  if (isWhole) return before === null && !passesEmpty ? [] : [inSpans(column, [{ is: '=', text }], context)];
  return before === null
    ? [inSpans(column, [{ is: 'begins', text }], context)]
    : [inSpans(column, spans, context, before)];
}

function partBehind(node: Expression): Piece | null {
  const part = partOf(node);
  if (part === null || part.place < 2) return null;
  const { whole, delimiter, place } = part;
  return {
    whole,
    before: (beginning) => upToPart(beginning, delimiter, place),
    spans: ({ operator }, text) => spansOfFirstPart(operator, text, delimiter),
  };
}

/** The text up to the end of the delimiter before a part, as SPLIT_PART finds delimiters: from left to right. */
function upToPart(text: string, delimiter: string, place: number): string | null {
  let end = 0;
  for (let part = 1; part < place; part++) {
    const at = text.indexOf(delimiter, end);
    if (at < 0) return null;
    end = at + delimiter.length;
  }
  return text.slice(0, end);
}

function charactersBehind(node: Expression): Piece | null {
  if (node.kind !== 'FunctionCall' || node.name !== 'SUBSTRING') return null;
  const [whole, from, length] = node.arguments;
  const place = constantCount(from);
  const count = constantCount(length);
  if (whole === undefined || place === null || place < 2) return null;
  if (length !== undefined && count === null) return null;
  return {
    whole,
    before(beginning) {
      const characters = [...beginning].slice(0, place - 1);
      return characters.length < place - 1 ? null : characters.join('');
    },
    spans: ({ operator }, text) =>
      count === null ? [{ is: operator, text }] : spansOfBeginning(operator, text, count),
  };
}
