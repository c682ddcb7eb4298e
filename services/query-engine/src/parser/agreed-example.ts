/** Cross-checks statements by their fingerprint: DuckDB confirms an example of it once. */
import type { AstQuery } from './ast.ts';
import { crossCheck, type SerializeSql } from './cross-check.ts';
import { parse } from './parse.ts';
import { print } from './print.ts';
import { printedWithValues, type Fingerprint } from './fingerprint.ts';

/** The example of a fingerprint that DuckDB reads as we do. */
export interface AgreedExample {
  readonly query: AstQuery;
  readonly printed: string;
}

/**
 * The example of a fingerprint as it was read, when DuckDB reads it as we do and our reading of a statement of that fingerprint is
 * that of the example but for the values; then that holds for every statement of the fingerprint. Null says nothing: each
 * statement is to be cross-checked itself.
 *
 * @param printed what our reading of a statement of the fingerprint is printed as
 */
export async function agreedExample(
  fingerprint: Fingerprint,
  printed: string,
  serialize: SerializeSql,
): Promise<AgreedExample | null> {
  let query: AstQuery;
  try {
    query = parse(fingerprint.example);
  } catch {
    // The statement itself was read, so that its values matter to us in some way.
    return null;
  }
  const printedExample = print(query);
  if (printedWithValues(printedExample, fingerprint) !== printed) return null;
  const outcome = await crossCheck(fingerprint.example, query, serialize);
  return outcome.kind === 'Agreed' ? Object.freeze({ query, printed: printedExample }) : null;
}
