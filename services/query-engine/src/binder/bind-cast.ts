/** CAST: to a type by its name, of lists that are written out, and of the place of a row. */
import { expression, literal } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import type { AstExpression } from '../parser/ast.ts';
import { CTID_TYPE } from '../parser/postgresql/ctid.ts';
import { writtenList, type WrittenList } from './array-literal.ts';
import { castToBoolean } from './boolean-text.ts';
import { bytesOf } from './bytea.ts';
import type { ExpressionContext } from './context.ts';
import { ctidConstant } from './ctid.ts';
import { didYouMean, invalid } from './errors.ts';
import { isArray } from './sql-arrays.ts';
import { cutTo } from './type-length.ts';
import { typeOf, typesNear } from './types.ts';

type Cast = Extract<AstExpression, { readonly kind: 'Cast' }>;
type Bind = (node: AstExpression, context: ExpressionContext) => Expression;

/** Words that PostgreSQL reads as numbers. */
const NO_NUMBER = /^\s*[+-]?(?:nan|inf(?:inity)?)\s*$/i;
const NUMBERS: ReadonlySet<string> = new Set(['DOUBLE', 'REAL', 'DECIMAL']);

const isNoNumber = (operand: Expression): boolean =>
  operand.kind === 'Literal' && operand.value.type === 'text' && NO_NUMBER.test(operand.value.value);

/** @throws PenstockError where there is no such type, or the operand cannot be cast to it */
export function bindCast(node: Cast, context: ExpressionContext, bind: Bind): Expression {
  const type = typeOf(node.type);
  if (type === null && node.type.endsWith('[]')) return bindArrayCast(node, context, bind);
  const operand = bind(node.operand, context);
  if (node.type === CTID_TYPE) return bindCtid(node, operand, context);
  if (type === null) {
    throw invalid(context, node, `Unknown type: ${node.type}`, didYouMean(typesNear(node.type)));
  }
  const { pos } = node;
  if (context.statement.isPostgresql && !node.tryCast && isNoNumber(operand) && NUMBERS.has(type.name))
    throw invalid(
      context,
      node,
      'NaN and infinities are no numbers of tables',
      'leave them out, or write NULL',
    );
  if (type.name === 'VARCHAR' && isArray(node.operand, context))
    throw invalid(context, node, 'An array cannot be cast to text', "write ARRAY_TO_STRING(x, ',')");
  const bytes = bytesOf(node, operand);
  if (bytes !== null) return literal({ type: 'binary', base64: bytes }, pos);
  const castOf = (cast: Expression): Expression =>
    expression({ kind: 'Cast', operand: cast, sqlType: type.name, tryCast: node.tryCast, pos });
  if (type.name === 'BOOLEAN' && context.statement.isPostgresql && !node.tryCast)
    return castToBoolean(operand, pos) ?? castOf(operand);
  if (type.length === null) return castOf(operand);
  const cut = cutTo(castOf(operand), type.name, type.length, pos);
  // Rounding leaves the zone out.
  return type.name === 'TIMESTAMPTZ' ? castOf(cut) : cut;
}

/** The number of a row's place. @throws PenstockError where it is no constant */
export function bindCtid(node: AstExpression, operand: Expression, context: ExpressionContext): Expression {
  const constant = operand.kind === 'Literal' ? ctidConstant(operand.value) : null;
  if (constant !== null) return literal(constant, node.pos);
  const message = 'ctid can be compared with constants, be shown, counted and sorted by';
  throw invalid(context, node, message, "constants are written '(0,1)': a block and a place in it");
}

/** The list that is written in an expression; null for any other. */
export function listOf(node: AstExpression, context: ExpressionContext): Exclude<WrittenList, 'malformed'> {
  const written = writtenList(node);
  if (written !== 'malformed') return written;
  throw invalid(context, node, 'A text is no list', `lists are written ARRAY['a', 'b'], or as text '{a,b}'`);
}

function bindArrayCast(node: Cast, context: ExpressionContext, bind: Bind): Expression {
  if (node.operand.kind === 'NullLiteral') return literal({ type: 'null' }, node.pos);
  const written = listOf(node, context);
  if (written !== null) return bind(written, context);
  throw invalid(
    context,
    node,
    `Only a list that is written out can be cast to ${node.type}`,
    'leave the cast out, or cast its elements: the attribute of a list is JSON, and its elements have types of their own',
  );
}
