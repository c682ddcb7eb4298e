/** Relations that a statement names. */
import type { Node } from 'libpg-query';

export interface NamedRelation {
  readonly schema: string | null;
  readonly name: string;
}

/** Every RangeVar of a tree but those that name one of its common table expressions. A tree may be deeper than the stack. */
export function namedRelations(statement: Node): readonly NamedRelation[] {
  const found: NamedRelation[] = [];
  const common = new Set<string>();
  const left: unknown[] = [statement];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'CommonTableExpr') {
        const { ctename } = inner as { readonly ctename?: string };
        if (ctename !== undefined) common.add(ctename);
      }
      if (key === 'RangeVar') {
        const { schemaname, relname = '' } = inner as {
          readonly schemaname?: string;
          readonly relname?: string;
        };
        found.push({ schema: schemaname ?? null, name: relname });
      }
      left.push(inner);
    }
  }
  return found.filter(({ schema, name }) => schema !== null || !common.has(name));
}
