/**
 * Constants beside documents: in `x -> 'name' = '"Ada"'` PostgreSQL reads the constant as a document, so that a text in it has
 * quotes, a number is no text, and neither spaces nor the order of names count.
 */
import { and, comparison, functionCall, literal, not, or } from '../logical/build-expression.ts';
import { parseNumber, printNumber } from '../logical/exact-number.ts';
import type { ComparisonOperator, Expression, LiteralValue } from '../logical/expression.ts';
import { jsonConstant, type JsonConstant } from '../logical/json-constant.ts';
import type { AstExpression } from '../parser/ast.ts';
import { isPartOfDocument } from '../parser/document-part.ts';
import type { ExpressionContext } from './context.ts';
import { statementError } from './errors.ts';
import { resolveName } from './resolve-name.ts';

type Binary = Extract<AstExpression, { readonly kind: 'Binary' }>;
type InList = Extract<AstExpression, { readonly kind: 'InList' }>;
type Scalar = Extract<JsonConstant, { readonly kind: 'text' | 'number' | 'boolean' }>;

/** A `value` that is in a document, as what it is; or JSON, whose texts have quotes. Null: neither, by how it is written. */
type Written = 'value' | 'json' | null;

const CALLS: Readonly<Record<string, Written>> = Object.freeze({
  JSON_EXTRACT_PATH: 'value',
  JSONB_EXTRACT_PATH: 'value',
  TO_JSON: 'json',
  TO_JSONB: 'json',
});
/** Names of types as JSON_TYPEOF says them. */
const TYPE_NAMES = Object.freeze({ text: 'string', number: 'number', boolean: 'boolean' });
const EQUAL: ReadonlySet<string> = new Set(['=', 'IS NOT DISTINCT FROM']);
const UNEQUAL: ReadonlySet<string> = new Set(['<>', 'IS DISTINCT FROM']);

function written(node: AstExpression): Written {
  if (isPartOfDocument(node)) return 'value';
  switch (node.kind) {
    case 'Cast':
      return /^JSONB?$/i.test(node.type) && node.operand.kind !== 'StringLiteral' ? 'json' : null;
    case 'FunctionCall':
      return CALLS[node.name] ?? null;
    default:
      return null;
  }
}

/** Whether it names an attribute of maps, lists or sets. */
function namesDocuments(node: AstExpression, { statement, scope }: ExpressionContext): boolean {
  if (node.kind !== 'Name') return false;
  const { attribute } = resolveName(statement, scope, node.path, node.pos);
  return attribute?.isDocument() === true;
}

/** PostgreSQL makes one document of two; here they would be joined as texts. @throws PenstockError UNSUPPORTED_SQL */
export function refuseJoined(node: Binary, context: ExpressionContext): void {
  if (node.operator !== '||' || !context.statement.isPostgresql) return;
  const document = [node.left, node.right].find(
    (one) => written(one) !== null || namesDocuments(one, context),
  );
  if (document === undefined) return;
  throw statementError(
    'UNSUPPORTED_SQL',
    'Unsupported SQL: || of documents',
    { sql: context.statement.sql, pos: node.pos },
    "make a document of parts: JSONB_BUILD_OBJECT('name', x -> 'name'); as text: x ->> 'name', or x::text",
  );
}

/** The JSON that a constant is; null of anything else. */
function constantOf(node: Expression): JsonConstant | null {
  if (node.kind === 'Cast' && node.sqlType === 'JSON') return constantOf(node.operand);
  if (node.kind !== 'Literal' || node.value.type !== 'text') return null;
  try {
    return jsonConstant(node.value.value);
  } catch {
    return null;
  }
}

const byBytes = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The constant as documents of tables are written: without spaces, names sorted, numbers without what adds nothing. */
function canonical(value: JsonConstant): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return String(value.value);
    case 'text':
      return JSON.stringify(value.text);
    case 'number': {
      const number = parseNumber(value.text);
      return number === null ? value.text : printNumber(number);
    }
    case 'array':
      return `[${value.elements.map(canonical).join()}]`;
    case 'object':
      return `{${[...value.fields]
        .sort(byBytes)
        .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`)
        .join()}}`;
  }
}

function literalOf(value: Scalar): LiteralValue {
  switch (value.kind) {
    case 'text':
      return { type: 'text', value: value.text };
    case 'number':
      return { type: 'number', text: value.text };
    case 'boolean':
      return { type: 'boolean', value: value.value };
  }
}

/** A value in a document compared with a constant one, both of one type. */
function comparedValues(operator: ComparisonOperator, document: Expression, value: Scalar): Expression {
  const compared = comparison(operator, document, literal(literalOf(value)));
  const type = literal({ type: 'text', value: TYPE_NAMES[value.kind] });
  const ofType = comparison(operator, functionCall('JSON_TYPEOF', [document]), type);
  if (EQUAL.has(operator)) return and([compared, ofType]);
  return UNEQUAL.has(operator) ? or([compared, ofType]) : compared;
}

/** A document compared with a constant one; null where it is compared as anything else. */
function comparedWith(
  operator: ComparisonOperator,
  node: AstExpression,
  document: Expression,
  constant: Expression,
  context: ExpressionContext,
): Expression | null {
  const value = constantOf(constant);
  const how = value === null ? null : written(node);
  const isWhole = value?.kind === 'array' || value?.kind === 'object';
  if (value === null || (how === null && !(isWhole && namesDocuments(node, context)))) return null;
  if (value.kind === 'null')
    throw statementError(
      'INVALID_QUERY',
      'A null within a document is NULL here, and equal to nothing',
      { sql: context.statement.sql, pos: constant.pos },
      'write IS NULL',
    );
  if (how === 'value' && value.kind !== 'array' && value.kind !== 'object')
    return comparedValues(operator, document, value);
  // As texts they would have another order: 10 is before 2.
  if (!EQUAL.has(operator) && !UNEQUAL.has(operator))
    throw statementError(
      'UNSUPPORTED_SQL',
      'Unsupported SQL: documents by their order',
      { sql: context.statement.sql, pos: constant.pos },
      "compare what is in them: x -> 'name' > '2', or (x ->> 'name')::numeric > 2",
    );
  return comparison(operator, document, literal({ type: 'text', value: canonical(value) }, constant.pos));
}

const FLIPPED: Readonly<Partial<Record<ComparisonOperator, ComparisonOperator>>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** A comparison of a document with a constant, as PostgreSQL has it; null of any other. */
export function comparedDocument(
  sides: { readonly left: AstExpression; readonly right: AstExpression },
  operator: ComparisonOperator,
  [left, right]: readonly [Expression, Expression],
  context: ExpressionContext,
): Expression | null {
  if (!context.statement.isPostgresql) return null;
  const [ofLeft, ofRight] = [written(sides.left), written(sides.right)];
  if (ofLeft !== null && ofRight !== null && ofLeft !== ofRight) {
    const asJson = (of: Written, side: Expression): Expression =>
      of === 'json' ? side : functionCall('TO_JSON', [side]);
    return comparison(operator, asJson(ofLeft, left), asJson(ofRight, right));
  }
  return (
    comparedWith(operator, sides.left, left, right, context) ??
    comparedWith(FLIPPED[operator] ?? operator, sides.right, right, left, context)
  );
}

/** `x -> 'name' IN ('"Ada"', '1')`; null of any other list. */
export function amongDocuments(
  node: InList,
  operand: Expression,
  values: readonly Expression[],
  context: ExpressionContext,
): Expression | null {
  if (!context.statement.isPostgresql) return null;
  const found = values.map((value) => comparedWith('=', node.operand, operand, value, context));
  if (found.every((one) => one === null)) return null;
  const any = or(values.map((value, i) => found[i] ?? comparison('=', operand, value)));
  return node.negated ? not(any) : any;
}
