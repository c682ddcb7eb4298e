/** The rules by which conditions on expressions of a key become conditions on the key. */
import { NUMBER_RULES } from './number-rules.ts';
import type { TurnAroundRule } from './rule.ts';
import { arrayContains } from './rules/array-contains.ts';
import { beginningOfText } from './rules/beginning-of-text.ts';
import { behindBeginning } from './rules/behind-beginning.ts';
import { caseBranches } from './rules/case.ts';
import { castToText } from './rules/cast-to-text.ts';
import { coalesce } from './rules/coalesce.ts';
import { concatenation } from './rules/concatenation.ts';
import { extractedStart } from './rules/extracted-start.ts';
import { firstPart } from './rules/first-part.ts';
import { foundAtStart } from './rules/found-at-start.ts';
import { isNotFalse } from './rules/is-not-false.ts';
import { nullIf } from './rules/null-if.ts';
import { regularExpression } from './rules/regular-expression.ts';
import { rowList } from './rules/row-list.ts';
import { textThatBegins } from './rules/text-that-begins.ts';
import { trimmedEnd } from './rules/trimmed-end.ts';
import { TIME_RULES } from './time-rules.ts';

export const TURN_AROUND_RULES: readonly TurnAroundRule[] = Object.freeze([
  castToText,
  beginningOfText,
  firstPart,
  behindBeginning,
  concatenation,
  textThatBegins,
  regularExpression,
  extractedStart,
  foundAtStart,
  trimmedEnd,
  nullIf,
  coalesce,
  caseBranches,
  arrayContains,
  rowList,
  isNotFalse,
  ...NUMBER_RULES,
  ...TIME_RULES,
]);
