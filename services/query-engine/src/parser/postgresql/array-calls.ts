/** Calls that PostgreSQL has an operator for: `array_append(a, x)` is `a || ARRAY[x]`. */
import type { AstExpression } from '../ast.ts';
import { plainCall } from '../reader/function-calls.ts';

type Call = Extract<AstExpression, { readonly kind: 'FunctionCall' }>;

/** The call as an operator; the call itself where it is another. */
export function asJoined(call: Call): AstExpression {
  const [first, second] = call.arguments;
  if (first === undefined || second === undefined || call.arguments.length !== 2) return call;
  const { pos } = call;
  const join = (left: AstExpression, right: AstExpression): AstExpression => ({
    ...{ kind: 'Binary', operator: '||', left, right, pos },
  });
  switch (call.name) {
    case 'ARRAY_APPEND':
      return join(first, plainCall('LIST_VALUE', [second], pos));
    case 'ARRAY_PREPEND':
      return join(plainCall('LIST_VALUE', [first], pos), second);
    case 'ARRAY_CAT':
      return join(first, second);
    default:
      return call;
  }
}
