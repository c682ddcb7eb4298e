/** Tables that a statement names without a schema, found by the schemas of the session that sent it. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Resolved } from './clients/catalog.ts';
import type { TableReference } from './clients/catalog-client.ts';

type Resolve = (references: readonly TableReference[]) => Promise<readonly Resolved[]>;

/** What makes the next schema be looked into: the others say that there is such a table, and what is wrong with it. */
const isMissing = (one: Resolved | undefined): boolean =>
  one instanceof PenstockError && ['TABLE_NOT_FOUND', 'SCHEMA_NOT_FOUND'].includes(one.code);

/**
 * Each reference without a schema is the table of the first schema of the path that has one. Where none has, it is what it
 * would be without a path.
 */
export async function bySearchPath(
  path: readonly string[],
  references: readonly TableReference[],
  resolve: Resolve,
): Promise<readonly Resolved[]> {
  const open = new Set(references.flatMap(({ schema }, i) => (schema === null ? [i] : [])));
  if (path.length === 0 || open.size === 0) return resolve(references);
  const found = new Map<number, Resolved>();
  for (const schema of path) {
    const wanted = [...open];
    const answers = await resolve(wanted.map((i) => ({ schema, table: references[i]?.table ?? '' })));
    answers.forEach((answer, i) => {
      const at = wanted[i];
      if (at === undefined || isMissing(answer)) return;
      found.set(at, answer);
      open.delete(at);
    });
    if (open.size === 0) break;
  }
  const rest = references.flatMap((_, i) => (found.has(i) ? [] : [i]));
  if (rest.length > 0) {
    const answers = await resolve(rest.map((i) => references[i] ?? { schema: null, table: '' }));
    answers.forEach((answer, i) => found.set(rest[i] ?? -1, answer));
  }
  return references.flatMap((_, i) => {
    const one = found.get(i);
    return one === undefined ? [] : [one];
  });
}
