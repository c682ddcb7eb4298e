/**
 * A lint rule: text must not become code. In a replacement's text, `$&` and its kin of somebody's text would be filled in, so a
 * replacement is a constant or a function.
 */
import type { CallExpression } from 'estree';
import type { Rule } from 'eslint';

const REPLACE = new Set(['replace', 'replaceAll']);
const SAFE = new Set(['Literal', 'ArrowFunctionExpression']);

export const constantReplacements: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      text: 'Replace by a constant or by a function that gives the text; better, build the text from its parts.',
    },
  },
  create(context) {
    return {
      CallExpression(call) {
        const [, replacement, ...more] = call.arguments;
        if (replacement === undefined || more.length > 0 || SAFE.has(replacement.type)) return;
        // What is waited for is a request of ours or of a browser's (`page.replace(…)`), and no text.
        if (isReplace(call) && call.parent.type !== 'AwaitExpression')
          context.report({ node: call, messageId: 'text' });
      },
    };
  },
};

function isReplace({ callee }: CallExpression): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    REPLACE.has(callee.property.name)
  );
}
