/** Judges statements by their shape: DuckDB confirms an example of it once. */
import type { AstQuery } from './ast.ts';
import { judge, type SerializeSql } from './judge.ts';
import { parse } from './parse.ts';
import { print } from './print.ts';
import { printedWithValues, type StatementShape } from './statement-shape.ts';

/** The example of a shape that DuckDB reads as we do. */
export interface AgreedExample {
  readonly query: AstQuery;
  readonly printed: string;
}

/**
 * The example of a shape as it was read, when DuckDB reads it as we do and our reading of a statement of that shape is
 * that of the example but for the values; then that holds for every statement of the shape. Null says nothing: each
 * statement is to be judged itself.
 *
 * @param printed what our reading of a statement of the shape is printed as
 */
export async function agreedExample(
  shape: StatementShape,
  printed: string,
  serialize: SerializeSql,
): Promise<AgreedExample | null> {
  let query: AstQuery;
  try {
    query = parse(shape.example);
  } catch {
    // The statement itself was read, so that its values matter to us in some way.
    return null;
  }
  const printedExample = print(query);
  if (printedWithValues(printedExample, shape) !== printed) return null;
  const verdict = await judge(shape.example, query, serialize);
  return verdict.kind === 'Agreed' ? Object.freeze({ query, printed: printedExample }) : null;
}
