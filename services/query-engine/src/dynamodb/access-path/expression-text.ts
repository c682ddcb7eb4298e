import type { DocumentStep } from '../../logical/expression.ts';
import type { AttributeValueJson, ExpressionText } from '../table-read.ts';

/**
 * Collects the names and values of one expression: each name is `#n0`, `#n1`, …, each value `:v0`, …, so that reserved
 * words and odd names need no thought. The letters can be chosen where a request carries several expressions.
 */
export class ExpressionNames {
  private readonly nameTokens = new Map<string, string>();
  private readonly valueTokens = new Map<
    string,
    { readonly token: string; readonly value: AttributeValueJson }
  >();
  /** Undo what was added since the last `keep`, the latest last. */
  private readonly undos: (() => void)[] = [];
  private readonly nameLetter: string;
  private readonly valueLetter: string;

  constructor(letters: { readonly name: string; readonly value: string } = { name: 'n', value: 'v' }) {
    this.nameLetter = letters.name;
    this.valueLetter = letters.value;
  }

  name(name: string): string {
    let token = this.nameTokens.get(name);
    if (token === undefined) {
      token = `#${this.nameLetter}${this.nameTokens.size}`;
      this.nameTokens.set(name, token);
      this.undos.push(() => this.nameTokens.delete(name));
    }
    return token;
  }

  path(path: readonly DocumentStep[]): string {
    return path
      .map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${this.name(step)}`))
      .join('');
  }

  value(value: AttributeValueJson): string {
    const text = JSON.stringify(value);
    const known = this.valueTokens.get(text);
    if (known !== undefined) return known.token;
    const token = `:${this.valueLetter}${this.valueTokens.size}`;
    this.valueTokens.set(text, { token, value });
    this.undos.push(() => this.valueTokens.delete(text));
    return token;
  }

  /** What was added stays, whatever is dropped later. */
  keep(): void {
    this.undos.length = 0;
  }

  /** Forgets what was added since the last `keep`. */
  drop(): void {
    for (const undo of this.undos) undo();
    this.undos.length = 0;
  }

  /** The text with the names and values that it uses; DynamoDB refuses any other. */
  expression(text: string): ExpressionText {
    const used = new Set(text.match(/[#:]\w+/g));
    const only = <T>(tokens: readonly (readonly [token: string, T])[]) =>
      Object.fromEntries(tokens.filter(([token]) => used.has(token)));
    const names = [...this.nameTokens].map(([name, token]) => [token, name] as const);
    const values = [...this.valueTokens.values()].map(({ token, value }) => [token, value] as const);
    return { text, names: only(names), values: only(values) };
  }
}
