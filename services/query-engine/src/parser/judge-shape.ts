/** Judges statements by their shape: DuckDB confirms an example of it once. */
import type { AstQuery } from './ast.ts';
import { judge, type SerializeSql } from './judge.ts';
import { parse } from './parse.ts';
import { print } from './print.ts';
import { shapeOf, withValues } from './statement-shape.ts';

/** What an example of a shape is printed as; null where DuckDB did not read it as we do. */
export type ShapeVerdicts = {
  get(key: string): string | null | undefined;
  set(key: string, printed: string | null): void;
};

async function judgeExample(example: string, serialize: SerializeSql): Promise<string | null> {
  let query: AstQuery;
  try {
    query = parse(example);
  } catch {
    // The statement itself was read: its values matter to us in some way, so that it is to be judged as it is.
    return null;
  }
  const verdict = await judge(example, query, serialize);
  return verdict.kind === 'Agreed' ? print(query) : null;
}

/**
 * True when DuckDB reads `sql` as we do, by what is known of its shape: it read an example of that shape as we do, and
 * our reading of `sql` is that of the example but for the values. False says nothing: then `sql` is to be judged itself.
 *
 * @param printed what our reading of `sql` is printed as
 */
export async function isAgreedShape(
  sql: string,
  printed: string,
  serialize: SerializeSql,
  known: ShapeVerdicts,
): Promise<boolean> {
  const shape = shapeOf(sql);
  if (shape === null) return false;
  let printedExample = known.get(shape.key);
  if (printedExample === undefined) {
    printedExample = await judgeExample(shape.example, serialize);
    known.set(shape.key, printedExample);
  }
  return printedExample !== null && withValues(printedExample, shape.values) === printed;
}
