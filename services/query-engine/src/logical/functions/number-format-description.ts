/** Formats of TO_CHAR of numbers, read: their parts one after the other, and what they say as a whole. */
import type { FormatProblem } from './postgres-format.ts';

/** A keyword of a format, in capitals but for RN and TH, which have small letters of their own. */
export type Action =
  | '9'
  | '0'
  | '.'
  | ','
  | 'G'
  | 'L'
  | 'FM'
  | 'MI'
  | 'PL'
  | 'SG'
  | 'S'
  | 'PR'
  | 'RN'
  | 'rn'
  | 'TH'
  | 'th'
  | 'V'
  | 'EEEE';
/** A keyword, or plain text. */
export type Token = { readonly action: Action } | { readonly text: string };

/** Keywords in capitals or small letters, the longer of two that begin alike first. */
const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ...(['EEEE', 'FM', 'MI', 'PL', 'PR', 'SG', 'V', 'G', 'L', 'S'] as const).flatMap(
    (name): [string, Action][] => [
      [name, name],
      [name.toLowerCase(), name],
    ],
  ),
  ...(['RN', 'rn', 'TH', 'th', '9', '0', '.', ','] as const).map((name): [string, Action] => [name, name]),
  ['D', '.'],
  ['d', '.'],
]);
const TOKEN =
  /"((?:[^"\\]|\\[\s\S])*)"|(EEEE|eeee|FM|fm|MI|mi|PL|pl|PR|pr|RN|rn|SG|sg|SP|sp|TH|th|[VvGgLlSsDdBbCc90.,])|\\(")|([\s\S])/gu;

/** The tokens of a format; or the first part of it that is not supported. */
export function tokensOf(format: string): readonly Token[] | FormatProblem {
  const tokens: Token[] = [];
  for (const [, quoted, word, escaped, other] of format.matchAll(TOKEN)) {
    const action = word === undefined ? undefined : ACTIONS.get(word);
    if (word !== undefined && action === undefined)
      return { part: word, advice: 'put plain text in "double quotes"' };
    if (other === '"') return { part: '"', advice: 'end it by another' };
    if (action !== undefined) tokens.push({ action });
    else tokens.push({ text: quoted?.replaceAll(/\\([\s\S])/g, '$1') ?? escaped ?? other ?? '' });
  }
  return tokens;
}

/** What a format says as a whole. */
export interface Description {
  readonly before: number;
  readonly after: number;
  readonly shift: number;
  readonly isFilled: boolean;
  readonly hasPoint: boolean;
  readonly hasZero: boolean;
  /** Places of zeros among the digits. */
  readonly zeroStart: number;
  readonly zeroEnd: number;
  readonly sign: 'before' | 'after' | null;
  readonly isBracketed: boolean;
  readonly isPlus: boolean;
  readonly isMinus: boolean;
}

/** That a part of a format is not supported, and what to do instead. */
export const problem = (part: string, advice: string): FormatProblem => ({ part, advice });

/** The description of a format; or the first part of it that cannot stand where it does. */
export function described(tokens: readonly Token[]): Description | FormatProblem {
  let [before, after, shift, zeroStart, zeroEnd, signAt] = [0, 0, 0, 0, 0, 0];
  let [isFilled, hasPoint, hasZero, isShifted] = [false, false, false, false];
  let [isBracketed, isPlus, isMinus] = [false, false, false];
  let sign: Description['sign'] = null;
  for (const token of tokens) {
    if (!('action' in token)) continue;
    const { action } = token;
    switch (action) {
      case '9':
        if (isBracketed) return problem('9', 'it must be before PR');
        if (isShifted) shift++;
        else if (hasPoint) after++;
        else before++;
        break;
      case '0':
        if (isBracketed) return problem('0', 'it must be before PR');
        if (isShifted) return problem('0', 'write 9 after V');
        if (!hasZero && !hasPoint) {
          hasZero = true;
          zeroStart = before + 1;
        }
        if (hasPoint) after++;
        else before++;
        zeroEnd = before + after;
        break;
      case '.':
        if (hasPoint) return problem('.', 'there is one point only');
        if (isShifted) return problem('.', 'write V or a point');
        hasPoint = true;
        break;
      case 'FM':
        isFilled = true;
        break;
      case 'S':
        if (sign !== null) return problem('S', 'write it once');
        if (isPlus || isMinus || isBracketed) return problem('S', 'write it without PL, MI, SG and PR');
        sign = hasPoint ? 'after' : 'before';
        signAt = before;
        break;
      case 'MI':
      case 'PL':
      case 'SG':
        if (sign !== null) return problem(action, 'write it without S');
        isMinus ||= action !== 'PL';
        isPlus ||= action !== 'MI';
        break;
      case 'PR':
        if (sign !== null || isPlus || isMinus) return problem('PR', 'write it without S, PL, MI and SG');
        isBracketed = true;
        break;
      case 'V':
        if (hasPoint || isShifted) return problem('V', 'write it once, and no point');
        isShifted = true;
        break;
      case 'RN':
      case 'rn':
      case 'EEEE':
        return problem(
          action,
          action === 'EEEE' ? 'write it last, as in 9.99EEEE' : 'write it alone, or behind FM',
        );
      default:
    }
  }
  if (sign === 'before' && before === signAt) sign = 'after';
  const places = { zeroStart: Math.max(zeroStart - 1, 0), zeroEnd };
  return {
    ...{
      before: before + shift,
      after,
      shift,
      isFilled,
      hasPoint,
      hasZero,
      sign,
      isBracketed,
      isPlus,
      isMinus,
    },
    ...places,
  };
}
