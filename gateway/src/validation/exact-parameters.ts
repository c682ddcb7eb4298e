/** The reviver's third argument and JSON.rawJSON (ECMAScript proposal "JSON.parse source text access", in Node 24). */
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

/**
 * `options.parameters` of a query body as JSON text in which every number stands as it was sent: through a double,
 * 12345678901234567890.5 would lose digits. The body must have been validated.
 */
export function exactParameters(bodyText: string): string {
  const json = JSON as unknown as ExactJson;
  const body = json.parse(bodyText, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value,
  ) as { readonly options: { readonly parameters: unknown } };
  return JSON.stringify(body.options.parameters);
}
