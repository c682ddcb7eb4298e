import type { AstExpression } from '../../ast.ts';
import type { Dialect } from '../dialect.ts';
import { NoOfferError } from '../no-offer.ts';
import { numberKind } from './number-kinds.ts';

type Binary = Extract<AstExpression, { kind: 'Binary' }>;

/** The quotient of whole numbers is a whole one in some dialects: `//` here. */
export function divided(node: Binary, { dividesWhole }: Dialect): AstExpression {
  if (node.operator !== '/' || !dividesWhole) return node;
  const kinds = [numberKind(node.left), numberKind(node.right)];
  if (kinds.includes('fraction')) return node;
  if (kinds.includes('unknown')) throw new NoOfferError('a quotient that may be of whole numbers');
  return { ...node, operator: '//' };
}

const TEXT_FUNCTIONS = new Set(
  (
    'CONCAT UPPER LOWER TRIM LTRIM RTRIM LEFT RIGHT SUBSTRING REPLACE REVERSE REPEAT STRFTIME MONTHNAME DAYNAME ' +
    'STRING_AGG CHR CONCAT_WS'
  ).split(' '),
);

/** SQL Server's `+` joins texts; between columns alone it can't be known what it does. */
export function added(node: Binary, { name }: Dialect): AstExpression {
  if (node.operator !== '+' || name !== 'SQL Server') return node;
  const sides = [node.left, node.right];
  if (sides.some(isText)) {
    if (sides.some((side) => numberKind(side) !== 'unknown'))
      throw new NoOfferError('a text and a number added');
    return { ...node, operator: '||' };
  }
  if (sides.some((side) => numberKind(side) !== 'unknown' || isNumber(side))) return node;
  throw new NoOfferError('+ of what may be texts');
}

function isText(node: AstExpression): boolean {
  if (node.kind === 'StringLiteral') return true;
  if (node.kind === 'Cast') return /CHAR|TEXT/.test(node.type);
  if (node.kind === 'FunctionCall') {
    const isEither = node.name === 'COALESCE' || node.name === 'NULLIF';
    return TEXT_FUNCTIONS.has(node.name) || (isEither && node.arguments.some(isText));
  }
  return node.kind === 'Binary' && node.operator === '||';
}

const isNumber = (node: AstExpression): boolean =>
  (node.kind === 'Binary' && ['-', '*', '/', '%', '//'].includes(node.operator)) ||
  (node.kind === 'FunctionCall' && /^(SUM|AVG|ABS|ROUND|FLOOR|CEILING|SQRT|POWER)$/.test(node.name));

const DATE_FUNCTIONS = new Set(
  'CURRENT_DATE CURRENT_TIMESTAMP NOW LOCALTIMESTAMP DATE LAST_DAY DATE_ADD DATE_SUB DATE_TRUNC STRPTIME MAKE_DATE'.split(
    ' ',
  ),
);

/** A date plus a number is days in some dialects, and the sum of its digits' number in MySQL. */
export function checkDateSum(node: Binary): void {
  if (node.operator !== '+' && node.operator !== '-') return;
  const isUnclear = (date: AstExpression, other: AstExpression): boolean =>
    isDate(date) && numberKind(other) !== 'unknown';
  if (isUnclear(node.left, node.right) || isUnclear(node.right, node.left))
    throw new NoOfferError('a date and a number added');
}

const isDate = (node: AstExpression): boolean =>
  (node.kind === 'FunctionCall' && DATE_FUNCTIONS.has(node.name)) ||
  (node.kind === 'Cast' && /^(DATE|TIMESTAMP)/.test(node.type));
