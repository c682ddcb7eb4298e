import type { TurnAroundRule } from '../rule.ts';
import { inSpans, textOf } from './text-conditions.ts';
import { partOf } from './text-part.ts';
import { spansOfFirstPart } from './text-spans.ts';

/** `SPLIT_PART(k, '#', 1) op 'A'`: `k` is 'A', or begins with 'A#'. Other parts say nothing of what stands before them. */
export const firstPart: TurnAroundRule = Object.freeze({
  name: 'first-part',
  comparison({ operand, operator, value }, context) {
    const text = textOf(value);
    const part = partOf(operand);
    if (text === null || part?.place !== 1) return null;
    const spans = spansOfFirstPart(operator, text, part.delimiter);
    return spans === null ? null : inSpans(part.whole, spans, context);
  },
} satisfies TurnAroundRule);
