import type { DocumentStep } from '../../logical/expression.ts';
import type { AttributeValueJson } from '../table-read.ts';

/**
 * Collects the names and values of one expression: each name is `#n0`, `#n1`, …, each value `:v0`, …, so that reserved
 * words and odd names need no thought. The letters can be chosen where a request carries several expressions.
 */
export class ExpressionNames {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, AttributeValueJson> = {};
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
}
