/** What a path is answered with: `data` of a success, or a refusal; `null`: never. */
export type Answer =
  | { readonly data: unknown }
  | { readonly status: number; readonly code: string; readonly message: string }
  | { readonly json: unknown }
  /** A stream of rows, whole. */
  | { readonly ndjson: string }
  /** By what was asked. */
  | { readonly by: (body: string, url: URL) => Answer }
  | null;

/** By method and path without its query: `GET /v1/schemas`. */
export type Answers = Readonly<Record<string, Answer>>;
