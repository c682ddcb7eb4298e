import type { DocumentStep } from '../../logical/expression.ts';
import type { AttributeValueJson, ExpressionText } from '../table-read.ts';

/**
 * Collects the names and values of one expression: each name is `#n0`, `#n1`, …, each value `:v0`, …, so that reserved
 * words and odd names need no thought. The letters can be chosen where a request carries several expressions.
 */
export class ExpressionNames {
  private readonly names: Record<string, string> = {};
  private readonly values: Record<string, AttributeValueJson> = {};
  private readonly nameTokens = new Map<string, string>();
  private readonly valueTokens = new Map<string, string>();
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
      this.names[token] = name;
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
    let token = this.valueTokens.get(text);
    if (token === undefined) {
      token = `:${this.valueLetter}${this.valueTokens.size}`;
      this.valueTokens.set(text, token);
      this.values[token] = value;
    }
    return token;
  }

  /** The text with the names and values that it uses; DynamoDB refuses any other. */
  expression(text: string): ExpressionText {
    const used = new Set(text.match(/[#:]\w+/g));
    const only = <T>(tokens: Record<string, T>) =>
      Object.fromEntries(Object.entries(tokens).filter(([token]) => used.has(token)));
    return { text, names: only(this.names), values: only(this.values) };
  }
}
