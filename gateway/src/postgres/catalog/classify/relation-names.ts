/** Relations that a statement names. */
import type { Node } from 'libpg-query';

export interface NamedRelation {
  readonly schema: string | null;
  readonly name: string;
}

/** Every RangeVar of a tree but those that name one of its common table expressions. */
export function namedRelations(statement: Node): readonly NamedRelation[] {
  const found: NamedRelation[] = [];
  const common = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) walk(item);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
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
      walk(inner);
    }
  };
  walk(statement);
  return found.filter(({ schema, name }) => schema !== null || !common.has(name));
}
