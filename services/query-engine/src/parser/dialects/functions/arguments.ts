/** What arguments have to be, and how they are turned. */
import type { AstExpression } from '../../ast.ts';
import { NoOfferError } from '../no-offer.ts';
import { checkPattern } from '../meaning/patterns.ts';
import { boundaryUnitOf, constantText, wholeNumber } from './constants.ts';
import { toStrftime, type FormatStyle } from './date-formats.ts';
import type { TurnArgument } from './rule.ts';

const textLike = (node: AstExpression, value: string): AstExpression => ({
  kind: 'StringLiteral',
  value,
  pos: node.pos,
});

const required = (node: AstExpression | undefined): AstExpression => {
  if (node === undefined) throw new NoOfferError('a missing argument');
  return node;
};

/** A unit as a text. */
export const unit: TurnArgument = (node) => textLike(required(node), boundaryUnitOf(node));

/** A format of dates. */
export const format =
  (style: FormatStyle): TurnArgument =>
  (node) =>
    textLike(required(node), toStrftime(constantText(node, 'a format'), style));

/** A regular expression that RE2 reads alike. */
export const pattern: TurnArgument = (node) => {
  checkPattern(constantText(node, 'a regular expression'));
  return required(node);
};

/** One without groups: with one, the match would be the group. */
export const groupless: TurnArgument = (node) => {
  if (constantText(node, 'a regular expression').includes('(')) throw new NoOfferError('groups of a match');
  return pattern(node);
};

/** One that is to match the whole text. */
export const wholePattern: TurnArgument = (node) => {
  const text = constantText(node, 'a regular expression');
  checkPattern(text);
  return textLike(required(node), `^(?:${text})$`);
};

/** What replaces a match, without references to groups. */
export const replacement: TurnArgument = (node) => {
  if (/[\\$]/.test(constantText(node, 'a replacement'))) throw new NoOfferError('groups in a replacement');
  return required(node);
};

/**
 * A place in a text, from 1: what lies before the text means something else in every system. A computed one counts where
 * it is something found plus a number from 1 on.
 */
export const place: TurnArgument = (node) => {
  const number = wholeNumber(node);
  const isFound =
    node?.kind === 'Binary' &&
    node.operator === '+' &&
    node.left.kind === 'FunctionCall' &&
    /^(POSITION|STRPOS|INSTR|LOCATE|LENGTH|CHAR_LENGTH)$/.test(node.left.name) &&
    (wholeNumber(node.right) ?? 0) >= 1;
  if (!isFound && (number ?? 0) < 1) throw new NoOfferError('a place in a text that may lie before it');
  return required(node);
};

/** One character, where several are one thing in some systems and several in others. */
export const character: TurnArgument = (node) => {
  if ([...constantText(node, 'what is trimmed')].length !== 1)
    throw new NoOfferError('several characters to trim');
  return required(node);
};

/** What texts are parted at, where it is a regular expression in some systems, and nothing at all in others. */
export const separator: TurnArgument = (node) => {
  if (!/^[\w ,;:@#%&=/<>"'~-]+$/.test(constantText(node, 'a separator')))
    throw new NoOfferError('a separator that may be a regular expression');
  return required(node);
};

/** A path into a document, which is a constant. */
export const jsonPath: TurnArgument = (node) => {
  if (!/^\$([.]\w+|\[\d+\])*$/.test(constantText(node, 'a path')))
    throw new NoOfferError('this path into a document');
  return required(node);
};
