import { tokenize, type Token } from './tokens.ts';

/** An operand as written: a value placeholder, a document path, or a function of operands. */
export type Operand =
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'path'; readonly path: string; readonly root: string }
  | { readonly kind: 'function'; readonly name: string; readonly operands: readonly Operand[] };

/** One operator or function of a condition with its operands, in the order they are written. */
export interface Predicate {
  /** `=`, `<>`, `<`, `<=`, `>`, `>=`, `BETWEEN`, `IN`, or a function's name. */
  readonly operator: string;
  readonly operands: readonly Operand[];
}

/** What the checks need to know of a condition expression; how its parts are combined is left to the store. */
export interface Condition {
  readonly predicates: readonly Predicate[];
  /** Comparators, functions, BETWEEN, IN, AND, OR and NOT together. */
  readonly operatorCount: number;
  /** Whether only AND combines the predicates. */
  readonly conjunctive: boolean;
}

const COMPARATORS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);

/**
 * Reads a key condition, filter or condition expression.
 * @returns undefined when it does not follow the grammar: the store then words the error
 */
export function parseCondition(expression: string): Condition | undefined {
  const tokens = tokenize(expression);
  return tokens && createParser(tokens).parse();
}

/** Grammar: Developer Guide, "Comparison operator and function reference". */
function createParser(tokens: readonly Token[]) {
  let position = 0;
  let combined = 0;
  let conjunctive = true;
  const predicates: Predicate[] = [];

  const peek = () => tokens[position];
  const isNext = (text: string) => peek()?.kind !== 'value' && peek()?.text.toUpperCase() === text;

  function accept(text: string): boolean {
    if (!isNext(text)) return false;
    position += 1;
    return true;
  }

  function expect(text: string): void {
    if (!accept(text)) throw new SyntaxError(text);
  }

  function either(): void {
    both();
    while (accept('OR')) {
      combined += 1;
      conjunctive = false;
      both();
    }
  }

  function both(): void {
    negation();
    while (accept('AND')) {
      combined += 1;
      negation();
    }
  }

  function negation(): void {
    if (!accept('NOT')) return predicate();
    combined += 1;
    conjunctive = false;
    negation();
  }

  function predicate(): void {
    if (accept('(')) {
      const before = position;
      either();
      expect(')');
      if (before === position) throw new SyntaxError('(');
      return;
    }
    const first = operand();
    if (accept('BETWEEN')) {
      const low = operand();
      expect('AND');
      predicates.push({ operator: 'BETWEEN', operands: [first, low, operand()] });
    } else if (accept('IN')) {
      expect('(');
      predicates.push({ operator: 'IN', operands: [first, ...list()] });
    } else if (COMPARATORS.has(peek()?.text ?? '')) {
      const operator = tokens[position++]?.text ?? '';
      predicates.push({ operator, operands: [first, operand()] });
    } else if (first.kind === 'function') {
      predicates.push({ operator: first.name, operands: first.operands });
    } else throw new SyntaxError('operator');
  }

  function list(): readonly Operand[] {
    const operands = [operand()];
    while (accept(',')) operands.push(operand());
    expect(')');
    return operands;
  }

  function operand(): Operand {
    const token = tokens[position++];
    if (token?.kind === 'value') return { kind: 'value', name: token.text };
    if (token?.text === '(') {
      const inner = operand();
      expect(')');
      return inner;
    }
    if (token?.kind !== 'name') throw new SyntaxError('operand');
    if (accept('(')) return { kind: 'function', name: token.text, operands: list() };
    let path = token.text;
    while (isNext('.') || isNext('[')) {
      const step = tokens[position++]?.text ?? '';
      path += step + (tokens[position++]?.text ?? '');
      if (step === '[') {
        expect(']');
        path += ']';
      }
    }
    return { kind: 'path', path, root: token.text };
  }

  function parse(): Condition | undefined {
    try {
      either();
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
    if (position < tokens.length) return undefined;
    const functions = predicates
      .flatMap(({ operands }) => operands)
      .filter(({ kind }) => kind === 'function');
    return { predicates, operatorCount: combined + predicates.length + functions.length, conjunctive };
  }

  return { parse };
}
