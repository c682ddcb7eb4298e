import type { Node } from 'libpg-query';

/** Names in a list of nodes. */
export function namesOf(nodes: readonly Node[] | undefined): readonly string[] {
  return (nodes ?? []).flatMap((node) => ('String' in node ? [node.String.sval ?? ''] : []));
}
