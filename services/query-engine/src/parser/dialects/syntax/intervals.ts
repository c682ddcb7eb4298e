import { closingOf } from '../source/brackets.ts';
import { isAt, operatorToken, textToken, wordToken, type SourceToken } from '../source/source-token.ts';
import { everywhere, spliced, type SyntaxRule } from './rule.ts';

const UNITS = new Set('SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR'.split(' '));
const ONE: SourceToken = { kind: 'number', value: '1', upper: '', spaceBefore: true, source: '1' };

/** `INTERVAL -7 DAY`, `INTERVAL n DAY` and `INTERVAL (n + 1) DAY`: here the number is a literal. */
export const intervals: SyntaxRule = (tokens) =>
  everywhere(tokens, (list, at) => {
    if (!isAt(list, at, 'INTERVAL')) return null;
    const number = list[at + 2];
    if (isAt(list, at + 1, '-') && number?.kind === 'number')
      return spliced(list, at + 1, at + 3, textToken(`-${number.value}`));
    const isGroup = isAt(list, at + 1, '(');
    const end = isGroup ? closingOf(list, at + 1) + 1 : at + 2;
    const value = list.slice(at + 1, end);
    const unit = list[end];
    const isName = value[0]?.kind === 'word' || value[0]?.kind === 'name' || value[0]?.kind === 'other';
    if (unit === undefined || !UNITS.has(unit.upper) || (!isGroup && !isName)) return null;
    return spliced(
      list,
      ...([at, end + 1] as const),
      ...[
        operatorToken('('),
        ...value,
        operatorToken('*'),
        wordToken('INTERVAL'),
        ONE,
        unit,
        operatorToken(')'),
      ],
    );
  });
