/** The reviver's third argument and JSON.rawJSON (ECMAScript proposal "JSON.parse source text access", in Node 24). */
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

/**
 * Parses JSON so that JSON.stringify writes every number as it stood in the text: through a double,
 * 12345678901234567890.5 would lose digits.
 */
export function parseExactJson(text: string): unknown {
  const json = JSON as unknown as ExactJson;
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value,
  );
}
