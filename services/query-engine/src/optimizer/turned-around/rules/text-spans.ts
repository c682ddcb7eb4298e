/** Which texts have a beginning, or a first part, that compares so with a constant. Null: more than can be told. */
import { compareUtf8, textAfter } from '../../../logical/text-order.ts';
import type { ComparisonWithConstant } from '../rule.ts';
import type { TextSpan } from './text-conditions.ts';

type Operator = ComparisonWithConstant['operator'];

/** Characters of a constant whose beginnings are gone through. */
const CHARACTERS_MAX = 200;

/**
 * Texts whose first `count` characters (code points; one at least) compare so with a constant. The characters of shorter
 * texts are all of them.
 */
export function spansOfBeginning(
  operator: Operator,
  constant: string,
  count: number,
): readonly TextSpan[] | null {
  const characters = [...constant];
  const cut = characters.slice(0, count).join('');
  const [isShorter, isLonger] = [characters.length < count, characters.length > count];
  switch (operator) {
    case '=':
      if (isLonger) return [];
      return [{ is: isShorter ? '=' : 'begins', text: constant }];
    case '<':
      return isLonger ? bounded('<', textAfter(cut)) : [{ is: '<', text: constant }];
    case '<=':
      return isShorter ? [{ is: '<=', text: constant }] : bounded('<', textAfter(cut));
    case '>':
      return isShorter ? [{ is: '>', text: constant }] : bounded('>=', textAfter(cut));
    case '>=':
      return isLonger ? bounded('>=', textAfter(cut)) : [{ is: '>=', text: constant }];
  }
}

/** Texts whose part before the first delimiter compares so with a constant; all of it, where they have no delimiter. */
export function spansOfFirstPart(
  operator: Operator,
  constant: string,
  delimiter: string,
): readonly TextSpan[] | null {
  switch (operator) {
    case '=':
      return [
        { is: '=', text: constant },
        { is: 'begins', text: constant + delimiter },
      ];
    case '>':
    case '>=':
      // A text is not below its beginning.
      return [{ is: operator, text: constant }];
    case '<':
    case '<=':
      return spansBelow(operator, constant, delimiter);
  }
}

/**
 * A part below the constant is below it with all that follows, unless the constant begins with it: then what follows the
 * delimiter may be above.
 */
function spansBelow(operator: '<' | '<=', constant: string, delimiter: string): readonly TextSpan[] | null {
  const characters = [...constant];
  if (characters.length > CHARACTERS_MAX) return null;
  let high = constant;
  const parts = operator === '<' ? characters.length : characters.length + 1;
  for (let length = 0; length < parts; length++) {
    const after = textAfter(characters.slice(0, length).join('') + delimiter);
    if (after === null) return null;
    if (compareUtf8(after, high) > 0) high = after;
  }
  return [{ is: '<', text: high }];
}

function bounded(is: '<' | '>=', text: string | null): readonly TextSpan[] | null {
  return text === null ? null : [{ is, text }];
}
