/**
 * PostgreSQL divides whole numbers to a whole number: which expressions are of its types `smallint`, `integer` and `bigint`,
 * as far as the statement itself says ("Mathematical Functions", and the types of its functions' results). Numbers of
 * DynamoDB are `numeric`, whose quotients keep their digits.
 */
import type { AstExpression, AstQueryBody } from '../ast.ts';
import { typeName } from './type-name.ts';

type Division = Extract<AstExpression, { readonly kind: 'Binary' }>;

const WHOLE_TYPES: ReadonlySet<string> = new Set(['int2', 'int4', 'int8']);
/** An array of them is no number. */
const isOf = (types: ReadonlySet<string>, type: string): boolean =>
  !type.includes('[') && types.has(typeName(type));
const INTEGER_TYPES: ReadonlySet<string> = new Set(['int2', 'int4']);

/** Functions whose results are whole, whatever they are given. */
const WHOLE: ReadonlySet<string> = new Set([
  ...[
    'COUNT',
    'ROW_NUMBER',
    'RANK',
    'DENSE_RANK',
    'NTILE',
    'GROUPING',
    'LENGTH',
    'CHAR_LENGTH',
    'CHARACTER_LENGTH',
  ],
  ...[
    'OCTET_LENGTH',
    'BIT_LENGTH',
    'POSITION',
    'STRPOS',
    'ASCII',
    'ARRAY_LENGTH',
    'CARDINALITY',
    'REGEXP_COUNT',
    'ARRAY_POSITION',
    'WIDTH_BUCKET',
  ],
]);
/** Those whose results are whole where what they are given is. */
const WHOLE_OF_WHOLE: ReadonlySet<string> = new Set([
  ...['MIN', 'MAX', 'ABS', 'MOD', 'COALESCE', 'GREATEST', 'LEAST', 'NULLIF', 'LAG', 'LEAD', 'FIRST_VALUE'],
  ...['LAST_VALUE', 'GCD', 'LCM', 'DIV'],
]);
const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%']);

/** The sum of integers is a bigint, that of bigints a numeric: of what may be a bigint it is not told here. */
const isInteger = (node: AstExpression): boolean => {
  if (node.kind === 'NumberLiteral') return /^\d{1,9}$/.test(node.text);
  if (node.kind === 'Cast') return isOf(INTEGER_TYPES, node.type);
  if (node.kind === 'Unary') return isInteger(node.operand);
  if (node.kind !== 'Case') return false;
  const results = [
    ...node.branches.map(({ then }) => then),
    ...(node.otherwise === null ? [] : [node.otherwise]),
  ];
  return results.every((result) => result.kind === 'NullLiteral' || isInteger(result));
};

function isWholeBody(body: AstQueryBody): boolean {
  if (body.kind === 'Query') return isWholeBody(body.body);
  if (body.kind !== 'Select') return false;
  const [item] = body.items;
  return item?.kind === 'Expression' && isWhole(item.expression);
}

const isWholeOrNull = (node: AstExpression): boolean => node.kind === 'NullLiteral' || isWhole(node);

export function isWhole(node: AstExpression): boolean {
  switch (node.kind) {
    case 'NumberLiteral':
      return /^\d{1,18}$/.test(node.text);
    case 'Cast':
      return isOf(WHOLE_TYPES, node.type);
    case 'Unary':
      return isWhole(node.operand);
    case 'Binary':
      return ARITHMETIC.has(node.operator) && isWhole(node.left) && isWhole(node.right);
    case 'Case': {
      const results = [...node.branches.map(({ then }) => then), node.otherwise].filter(
        (one) => one !== null,
      );
      return results.every(isWholeOrNull);
    }
    case 'FunctionCall': {
      if (WHOLE.has(node.name)) return true;
      const [first, ...others] = node.arguments;
      if (first === undefined) return false;
      if (node.name === 'SUM') return isInteger(first);
      // What is divided was made a call by this rule itself.
      if (node.name === 'TRUNC') return others.length === 0 && first.kind === 'Binary' && isWhole(first);
      return WHOLE_OF_WHOLE.has(node.name) && [first, ...others].every(isWholeOrNull);
    }
    case 'ScalarSubquery':
      return isWholeBody(node.query);
    default:
      return false;
  }
}

export const isWholeDivision = (node: AstExpression): node is Division =>
  node.kind === 'Binary' && node.operator === '/' && isWhole(node.left) && isWhole(node.right);

/** Cut towards zero. */
export const wholeQuotient = (division: Division): AstExpression => ({
  ...{ kind: 'FunctionCall', name: 'TRUNC', arguments: [division], star: false, distinct: false },
  ...{ orderBy: [], withinGroup: [], filter: null, over: null, pos: division.pos },
});
