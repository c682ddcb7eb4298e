/** Links that open a statement. It stands in the fragment, which browsers send to no server, and it is never run by itself. */
const NAME = 'sql=';

/** @param base where the page is: `https://penstock.example.com/console/query` */
export const linkTo = (base: string, sql: string): string => `${base}#${NAME}${encodeURIComponent(sql)}`;

/** The statement of a fragment with its `#`; null where it has none, or one that can't be read. */
export function sqlOfFragment(hash: string): string | null {
  if (!hash.startsWith(`#${NAME}`)) return null;
  try {
    return decodeURIComponent(hash.slice(NAME.length + 1));
  } catch {
    return null;
  }
}
