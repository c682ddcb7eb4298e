/** A token of a DynamoDB expression. */
export interface Token {
  readonly kind: 'name' | 'value' | 'symbol';
  /** As written, but keywords are told apart by comparing in upper case. */
  readonly text: string;
}

const TOKEN = /\s+|(#[\w-]+|[A-Za-z_][\w-]*)|(:[\w-]+)|(<>|<=|>=|[=<>(),.[\]]|\d+)/y;

/** Splits an expression; undefined when it holds something that no expression does. */
export function tokenize(expression: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const match = TOKEN.exec(expression);
    if (match === null) return undefined;
    const [, name, value, symbol] = match;
    if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (value !== undefined) tokens.push({ kind: 'value', text: value });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol });
  }
  return tokens;
}
