/**
 * What the API would say of a field, said while one fills it in. The rules are those of
 * `gateway/src/validation/schema-requests.ts`; a test holds the two against each other, verdicts and words.
 */

interface Rule {
  readonly form: RegExp;
  readonly words: string;
  readonly charsMin?: number;
  readonly charsMax?: number;
}

const RULES = Object.freeze({
  schemaName: {
    form: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    words: 'Must begin with a letter and have at most 64 letters, digits, _ and -',
  },
  region: { form: /^(?=.{1,32}$)[a-z]{2,8}(-[a-z]+)+-\d{1,2}$/, words: 'Must be a region such as eu-west-1' },
  accountId: { form: /^\d{12}$/, words: 'Must have 12 digits' },
  roleArn: {
    form: /^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/,
    words: 'Must be the ARN of a role: arn:aws:iam::<12 digits>:role/<name>',
    charsMax: 2_048,
  },
  externalId: {
    form: /^[\w+=,.@:/-]+$/,
    words: 'Must consist of letters, digits and _+=,.@:/-, such as penstock-<your tenantId>-<a random UUID>',
    charsMin: 2,
    charsMax: 1_224,
  },
} satisfies Record<string, Rule>);

export type SchemaField = keyof typeof RULES;

/** `Must have 12 digits`; undefined where nothing is wrong. */
export function fieldProblem(name: SchemaField, value: string): string | undefined {
  const { form, words, charsMin = 0, charsMax = Infinity }: Rule = RULES[name];
  if (value === '') return 'Is needed';
  if (value.length < charsMin) return `Must have at least ${charsMin} characters`;
  if (value.length > charsMax) return `Must have at most ${charsMax} characters`;
  return form.test(value) ? undefined : words;
}

/** A name that another schema has, whatever the case: told before anything is made for it. */
export const takenProblem = (schemaName: string, taken: readonly string[]): string | undefined =>
  taken.some((name) => name.toLowerCase() === schemaName.toLowerCase())
    ? 'A schema with that name already exists: choose another'
    : undefined;

const READ_UNITS_MIN = 0.5;
const READ_UNITS_MAX = Object.freeze({ unitsPerSecond: 1_000_000, unitsPerQuery: 1_000_000_000 });

/** Of read limits, which are optional: an empty text sets none. @returns the number, or what is wrong with the text */
export function limitOf(
  name: keyof typeof READ_UNITS_MAX,
  text: string,
): { readonly limit: number | undefined } | { readonly problem: string } {
  const trimmed = text.trim();
  if (trimmed === '') return { limit: undefined };
  const limit = Number(trimmed);
  if (Number.isNaN(limit)) return { problem: 'Must be a number of read units, or empty for no limit' };
  if (limit < READ_UNITS_MIN) return { problem: `Must be at least ${READ_UNITS_MIN}` };
  if (limit > READ_UNITS_MAX[name]) return { problem: `Must be at most ${READ_UNITS_MAX[name]}` };
  return { limit };
}

/** Names of tables as one types them: one on a line, or with commas or blanks between; each once. */
export function tableNames(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))];
}

const TABLE_NAME = /^[a-zA-Z0-9_.-]{3,255}$/;

/** What is wrong with names of tables, naming the first that is. @param tablesMax of an allowlist */
export function tablesProblem(names: readonly string[], tablesMax: number): string | undefined {
  if (names.length === 0) return 'Name at least one table';
  const wrong = names.find((name) => !TABLE_NAME.test(name));
  if (wrong !== undefined) return `“${wrong}” is no table's name: 3 to 255 letters, digits and _ . -`;
  return names.length > tablesMax ? `Must have at most ${tablesMax} tables` : undefined;
}

/** A role's ARN, which must be of the account that owns the tables. */
export function roleArnProblem(roleArn: string, accountId: string): string | undefined {
  const problem = fieldProblem('roleArn', roleArn);
  if (problem !== undefined) return problem;
  const [, , , , account] = roleArn.split(':');
  return account === accountId ? undefined : `Must be a role of account ${accountId}, which owns the tables`;
}
