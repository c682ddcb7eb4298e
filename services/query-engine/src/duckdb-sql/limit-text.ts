/** LIMIT and OFFSET as they are written; empty where there is neither. */
export function limitText(count: number | null, offset: number): string {
  const limit = count === null ? '' : `LIMIT ${count}`;
  return [limit, offset > 0 ? `OFFSET ${offset}` : ''].filter((part) => part !== '').join(' ');
}
