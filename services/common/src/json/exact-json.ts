/** JSON whose numbers stay as they are written: through a double, 12345678901234567890.5 would lose digits. */

/** Given a value of the text with those inside of it made already; `source`: what a number, a text or a word is written by. */
export type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** The reviver's third argument and JSON.rawJSON (ECMAScript proposal "JSON.parse source text access", in Node 24). */
interface ExactJson {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): unknown;
}

const EXACT = JSON as unknown as ExactJson;

/** Parses JSON; the reviver is told what values are written by. @throws SyntaxError where the text is none */
export const parseWithSource = (text: string, reviver: Reviver): unknown => EXACT.parse(text, reviver);

/** Parses JSON so that JSON.stringify writes every number as it stood in the text. @throws SyntaxError where the text is none */
export const parseExactJson = (text: string): unknown =>
  parseWithSource(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined ? EXACT.rawJSON(source) : value,
  );
