/**
 * In the place of an attribute's name: all attributes of an item that the catalog does not know and no column asks for, as one
 * document. No attribute has an empty name.
 */
export const OTHERS = '';

/** What the column of these is called. */
export const OTHERS_COLUMN = '_others';

export const isOthers = ({ path }: { readonly path: readonly (string | number)[] }): boolean =>
  path[0] === OTHERS;
