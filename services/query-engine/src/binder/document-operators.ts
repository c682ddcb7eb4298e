/** PostgreSQL's operators of documents and lists, as paths where they are paths, else as calls. */
import { castTo, elementsOf, functionCall, literal } from '../logical/build-expression.ts';
import type { DocumentStep, Expression } from '../logical/expression.ts';
import { jsonConstant } from '../logical/json-constant.ts';
import { elementsOfTextArray } from '../logical/text-array.ts';
import type { AstExpression, BinaryOperator, Position } from '../parser/ast.ts';
import { isPartOfDocument } from '../parser/document-part.ts';
import type { ExpressionContext } from './context.ts';
import { invalid, statementError } from './errors.ts';
import { resolveName } from './resolve-name.ts';

type Bind = (node: AstExpression, context: ExpressionContext) => Expression;
type Binary = Extract<AstExpression, { readonly kind: 'Binary' }>;

const STEPS = ['->', '->>', '#>', '#>>'] as const;
const TESTS = ['@>', '<@', '&&', '?', '?|', '?&'] as const;
export type DocumentOperator = (typeof STEPS)[number] | (typeof TESTS)[number];

/** Whether an operator is one of documents. */
export const isOfDocuments = (node: Binary): node is Binary & { readonly operator: DocumentOperator } =>
  ([...STEPS, ...TESTS] as readonly string[]).includes(node.operator);

const isStep = (operator: BinaryOperator): operator is (typeof STEPS)[number] =>
  (STEPS as readonly string[]).includes(operator);

/** An operator of documents over its operands. */
export function bindDocumentOperator(
  node: Binary & { readonly operator: DocumentOperator },
  context: ExpressionContext,
  bind: Bind,
): Expression {
  const { operator, pos } = node;
  if (isStep(operator)) {
    const value = operator.startsWith('#') ? atPath(node, context, bind) : atSteps(node, context, bind);
    return operator.endsWith('>>') ? asText(value, pos) : value;
  }
  const left = bind(node.left, context);
  const right = bind(node.right, context);
  switch (operator) {
    case '@>':
      return functionCall(
        'JSONB_CONTAINS',
        [partAsJson(left, node.left), contained(right, node.right, context)],
        pos,
      );
    case '<@':
      return functionCall('JSONB_CONTAINS', [asDocument(right), contained(left, node.left, context)], pos);
    case '&&':
      return functionCall('ARRAYS_OVERLAP', [asDocument(left), asDocument(right)], pos);
    case '?':
      return functionCall('JSONB_EXISTS', [left, right], pos);
    case '?|':
      return functionCall('JSONB_EXISTS_ANY', [left, textsOf(right)], pos);
    case '?&':
      return functionCall('JSONB_EXISTS_ALL', [left, textsOf(right)], pos);
  }
}

/** A text in a document is no JSON text. */
const partAsJson = (value: Expression, node: AstExpression): Expression =>
  isPartOfDocument(node) ? functionCall('TO_JSON', [value], node.pos) : value;

/** Calls that take the steps of a path one by one, by whether they give text. */
const PATH_CALLS: ReadonlyMap<string, boolean> = new Map([
  ['JSON_EXTRACT_PATH', false],
  ['JSONB_EXTRACT_PATH', false],
  ['JSON_EXTRACT_PATH_TEXT', true],
  ['JSONB_EXTRACT_PATH_TEXT', true],
]);

/** `JSON_EXTRACT_PATH(m, 'a', 'b')`, which is `m #> '{a,b}'`; null of any other call. */
export function bindPathCall(
  node: Extract<AstExpression, { readonly kind: 'FunctionCall' }>,
  context: ExpressionContext,
  bind: Bind,
): Expression | null {
  const text = PATH_CALLS.get(node.name);
  const [document, ...steps] = node.arguments;
  if (text === undefined || document === undefined || steps.length === 0 || node.over !== null) return null;
  const value = along(
    document,
    steps.map((step) => bind(step, context)),
    context,
    { bind, pos: node.pos },
  );
  return text ? asText(value, node.pos) : value;
}

const asText = (operand: Expression, pos: Position): Expression => castTo(operand, 'VARCHAR', pos);

/** `m -> 'a' -> 0`: the steps of a chain are one path. */
function atSteps(node: Binary, context: ExpressionContext, bind: Bind): Expression {
  const steps: Expression[] = [];
  let base: AstExpression = node;
  while (base.kind === 'Binary' && (base.operator === '->' || base === node)) {
    steps.unshift(bind(base.right, context));
    base = base.left;
  }
  const { pos } = node;
  for (const step of steps) refuseForeignPath(step, context);
  const constant = steps.findIndex((step) => plainStep(step) === null);
  const path = (constant < 0 ? steps : steps.slice(0, constant)).flatMap((step) => plainStep(step) ?? []);
  const known = ofName(base, path, context);
  if (known === null) return functionCall('JSON_GET', [bind(base, context), ...steps], pos);
  const below = known.below(path);
  const call = (of: Expression, rest: readonly Expression[]): Expression =>
    rest.length === 0 ? of : functionCall('JSON_GET', [of, ...rest], pos);
  const exact = call(below, steps.slice(path.length));
  return known.mayBeText() ? functionCall('COALESCE', [exact, call(known.whole, steps)], pos) : exact;
}

/** `'$.a'` would be a name there, and NULL of every document. */
function refuseForeignPath(step: Expression, { statement }: ExpressionContext): void {
  if (step.kind !== 'Literal' || step.value.type !== 'text' || !/^\$(?:[.[]|$)/.test(step.value.value))
    return;
  const place = { sql: statement.sql, pos: step.pos };
  const message = 'Unsupported SQL: a path of MySQL or SQLite as a step';
  throw statementError(
    'UNSUPPORTED_SQL',
    message,
    place,
    "write -> 'name' for each step, or JSON_EXTRACT(x, '$.a.b')",
  );
}

/** The step that a constant is; null where the place counts from the end, or is computed. */
function constantStep(step: Expression): DocumentStep | null {
  if (step.kind !== 'Literal') return null;
  if (step.value.type === 'text') return step.value.value;
  return step.value.type === 'number' && /^\d{1,9}$/.test(step.value.text) ? Number(step.value.text) : null;
}

/** The same; null also of a name of digits, which a path would take for a place in a list. */
function plainStep(step: Expression): DocumentStep | null {
  const constant = constantStep(step);
  return typeof constant === 'string' && /^\d+$/.test(constant) ? null : constant;
}

const PATH_ADVICE = "write a path such as '{address,city}' or ARRAY['address', 'city']";

/** `m #> '{a,0}'`: each step is a name in a map, or a place in a list. */
function atPath(node: Binary, context: ExpressionContext, bind: Bind): Expression {
  const steps = pathSteps(bind(withoutCast(node.right), context));
  if (steps === null)
    throw invalid(context, node.right, `${node.operator} takes a list of names and places`, PATH_ADVICE);
  return along(node.left, steps, context, { bind, pos: node.pos });
}

/** A list that is cast to text[] as tools write it. */
const withoutCast = (node: AstExpression): AstExpression =>
  node.kind === 'Cast' && node.type.endsWith('[]') ? node.operand : node;

function pathSteps(path: Expression): readonly Expression[] | null {
  const elements = elementsOf(path);
  if (elements !== null) return elements;
  if (path.kind !== 'Literal' || path.value.type !== 'text') return null;
  const texts = elementsOfTextArray(path.value.value);
  return (
    texts?.map((text) =>
      literal(text === null ? { type: 'null' } : { type: 'text', value: text }, path.pos),
    ) ?? null
  );
}

function along(
  document: AstExpression,
  steps: readonly Expression[],
  context: ExpressionContext,
  { bind, pos }: { readonly bind: Bind; readonly pos: Position },
): Expression {
  const call = (of: Expression): Expression => functionCall('JSON_EXTRACT_PATH', [of, ...steps], pos);
  const path = steps.flatMap((step) => {
    const named = constantStep(step);
    if (named === null) return [];
    return typeof named === 'string' && /^\d{1,9}$/.test(named) ? [Number(named)] : [named];
  });
  const isPath = path.length === steps.length && !path.some((step) => /^-\d/.test(String(step)));
  const known = isPath ? ofName(document, path, context) : null;
  if (known === null) return call(bind(document, context));
  const below = known.below(path);
  // Names of a map may be digits, too.
  const isSure = !known.mayBeText() && path.every((step) => typeof step === 'string');
  return isSure ? below : functionCall('COALESCE', [below, call(known.whole)], pos);
}

/** A column, whose parts are read with all their digits; null of what is none, or where there is no path. */
function ofName(
  base: AstExpression,
  path: readonly DocumentStep[],
  context: ExpressionContext,
): {
  readonly whole: Expression;
  readonly mayBeText: () => boolean;
  readonly below: (path: readonly DocumentStep[]) => Expression;
} | null {
  if (base.kind !== 'Name' || path.length === 0) return null;
  const { statement, scope } = context;
  const { expression: whole, attribute } = resolveName(statement, scope, base.path, base.pos);
  return attribute === undefined ? null : { whole, ...attribute };
}

/** A text constant is JSON there; so is one that is cast. */
function asDocument(node: Expression): Expression {
  const constant = node.kind === 'Cast' && node.sqlType === 'JSON' ? node.operand : node;
  return constant.kind === 'Literal' && constant.value.type === 'text' ? constant : node;
}

/** What is looked for, as JSON text where it is constant. */
function contained(node: Expression, at: AstExpression, context: ExpressionContext): Expression {
  const json = constantJson(node, true);
  if (json === null) return node;
  try {
    jsonConstant(json);
  } catch {
    const hint = "write JSON such as '{\"city\": \"Bern\"}' or '[1]', or a list such as ARRAY['x']";
    throw invalid(context, at, 'What @> and <@ look for must be JSON', hint);
  }
  return literal({ type: 'text', value: json }, node.pos);
}

/** The JSON text of a constant; null where it is computed. */
function constantJson(node: Expression, isWhole: boolean): string | null {
  const elements = elementsOf(node);
  if (elements !== null) {
    const texts = elements.map((element) => constantJson(element, false));
    return texts.some((text) => text === null) ? null : `[${texts.join(',')}]`;
  }
  const constant = isWhole ? asDocument(node) : node;
  if (constant.kind !== 'Literal') return null;
  const { value } = constant;
  switch (value.type) {
    case 'text':
      return isWhole ? value.value : JSON.stringify(value.value);
    case 'number':
      return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value.text) ? value.text : null;
    case 'boolean':
      return String(value.value);
    case 'null':
      return isWhole ? null : 'null';
    default:
      return null;
  }
}

/** Names as a list: a constant `'{a,b}'` is PostgreSQL's way of writing one. */
function textsOf(node: Expression): Expression {
  if (node.kind !== 'Literal' || node.value.type !== 'text') return node;
  const elements = elementsOfTextArray(node.value.value);
  return elements === null ? node : literal({ type: 'text', value: JSON.stringify(elements) }, node.pos);
}
