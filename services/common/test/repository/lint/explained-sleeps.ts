/**
 * An ESLint rule for tests: a fixed sleep above 50 ms needs a comment beside it that begins `// Sleeps:`. An effect is
 * waited for with until(), which is done as soon as it is there and fails loudly where it never comes.
 */
import type { Rule, Scope } from 'eslint';
import type { CallExpression, Expression, Node } from 'estree';

const SLEEP_MS_MAX = 50;
const SLEEPS = new Set(['sleep', 'delay', 'pause']);
const TIMERS = new Set(['node:timers/promises', 'timers/promises']);
const REASON = /^\s*Sleeps: \S/;

export const explainedSleeps: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      unexplained:
        'A fixed sleep above 50 ms. Wait for an effect with until(condition) of services/common/test/support/until.ts. ' +
        'Where time itself has to pass, say why beside it: // Sleeps: …',
    },
  },
  create(context) {
    const { sourceCode } = context;
    return {
      CallExpression(call) {
        const duration = durationOf(call, sourceCode.getScope(call));
        if (duration === null) return;
        const ms = leastMs(duration, sourceCode.getScope(call));
        if (ms <= SLEEP_MS_MAX || hasReason(call)) return;
        context.report({ node: call, messageId: 'unexplained' });
      },
    };

    /** On the line of the call, or in the run of comments that ends on the line above. */
    function hasReason(call: Node): boolean {
      const line = call.loc!.start.line;
      const comments = new Map(
        sourceCode.getAllComments().map((comment) => [comment.loc!.start.line, comment]),
      );
      if (REASON.test(comments.get(line)?.value ?? '')) return true;
      for (let above = line - 1; ; above--) {
        const comment = comments.get(above);
        // A comment behind code speaks of that code.
        if (
          comment === undefined ||
          /\S/.test(sourceCode.lines[above - 1]!.slice(0, comment.loc!.start.column))
        )
          return false;
        if (REASON.test(comment.value)) return true;
      }
    }
  },
};

/** The duration of a call that sleeps; null for any other call. */
function durationOf(call: CallExpression, scope: Scope.Scope): Expression | null {
  const { callee } = call;
  if (callee.type !== 'Identifier') return null;
  const variable = variableOf(callee.name, scope);
  const isGlobal = variable === null || variable.defs.length === 0;
  const argument =
    isGlobal && callee.name === 'setTimeout'
      ? resolves(call, scope)
        ? call.arguments[1]
        : undefined
      : isSleep(callee.name, variable)
        ? call.arguments[0]
        : undefined;
  return argument === undefined || argument.type === 'SpreadElement' ? null : argument;
}

/** `setTimeout` of `node:timers/promises` under any name, or a function of a usual name. */
function isSleep(name: string, variable: Scope.Variable | null): boolean {
  return (
    SLEEPS.has(name) ||
    (variable?.defs ?? []).some(
      ({ type, node, parent }) =>
        type === 'ImportBinding' &&
        TIMERS.has(String(parent.source.value)) &&
        node.type === 'ImportSpecifier' &&
        node.imported.type === 'Identifier' &&
        node.imported.name === 'setTimeout',
    )
  );
}

/** Whether a timer does nothing but resolve the promise that it is made in: `setTimeout(resolve, …)`. */
function resolves(call: CallExpression, scope: Scope.Scope): boolean {
  const [callback] = call.arguments;
  const name =
    callback?.type === 'Identifier'
      ? callback.name
      : callback?.type === 'ArrowFunctionExpression' &&
          callback.body.type === 'CallExpression' &&
          callback.body.callee.type === 'Identifier'
        ? callback.body.callee.name
        : null;
  if (name === null) return false;
  return (variableOf(name, scope)?.defs ?? []).some(({ type, node }) => {
    if (type !== 'Parameter') return false;
    const { parent } = node as Rule.Node;
    return parent?.type === 'NewExpression' && isNamed(parent.callee, 'Promise');
  });
}

/**
 * The least that an expression comes to, as far as this file says. What is not known counts nothing in a sum; a constant
 * of another file (`LEASE_MS`) counts as long, since nobody sees here what it is.
 */
function leastMs(expression: Expression, scope: Scope.Scope): number {
  switch (expression.type) {
    case 'Literal':
      return typeof expression.value === 'number' ? expression.value : 0;
    case 'ConditionalExpression':
      return Math.max(leastMs(expression.consequent, scope), leastMs(expression.alternate, scope));
    case 'BinaryExpression': {
      if (expression.left.type === 'PrivateIdentifier') return 0;
      const left = leastMs(expression.left, scope);
      const right = leastMs(expression.right, scope);
      if (expression.operator === '+') return left + right;
      if (expression.operator === '-') return left - (Number.isFinite(right) ? right : 0);
      if (expression.operator === '*') return left * right || 0;
      if (expression.operator === '/') return right === 0 ? 0 : left / right;
      return 0;
    }
    case 'Identifier': {
      const definition = variableOf(expression.name, scope)?.defs[0];
      if (definition?.type === 'ImportBinding')
        return /^[A-Z][A-Z0-9_]*$/.test(expression.name) ? Infinity : 0;
      if (
        definition?.type !== 'Variable' ||
        definition.parent?.kind !== 'const' ||
        definition.node.init == null
      )
        return 0;
      return leastMs(definition.node.init, scope);
    }
    default:
      return 0;
  }
}

function isNamed(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function variableOf(name: string, scope: Scope.Scope): Scope.Variable | null {
  for (let at: Scope.Scope | null = scope; at !== null; at = at.upper) {
    const variable = at.set.get(name);
    if (variable !== undefined) return variable;
  }
  return null;
}
