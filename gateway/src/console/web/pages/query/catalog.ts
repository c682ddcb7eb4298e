/** Tables, functions and keywords for completion; asked for once, and again now and then. */
import { signal } from '@preact/signals';
import type { CatalogPage, CatalogTable } from '../../../api/catalog.ts';
import { PATHS } from '../../../api/paths.ts';
import type { SqlReference } from '../../../api/sql-reference.ts';
import { ask } from '../../net/request.ts';
import { COMPLETED_TABLES_MAX } from './limits.ts';

const STALE_MS = 5 * 60_000;

export const tables = signal<readonly CatalogTable[]>([]);
export const reference = signal<SqlReference>({ functions: [], keywords: [] });
/** Whether the first answer is there. */
export const isCatalogKnown = signal(false);

let loadedAt = -Infinity;

async function allTables(): Promise<readonly CatalogTable[] | null> {
  const found: CatalogTable[] = [];
  let next: string | undefined;
  do {
    const query: string = next === undefined ? '' : `?${new URLSearchParams({ nextToken: next }).toString()}`;
    const page = await ask<CatalogPage>(`${PATHS.catalog}${query}`);
    if (!page.ok) return null;
    found.push(...page.value.tables);
    next = page.value.nextToken;
  } while (next !== undefined && found.length < COMPLETED_TABLES_MAX);
  return found;
}

/** Loads what completion knows, unless it was loaded a short while ago. */
export async function loadCatalog(): Promise<void> {
  if (performance.now() - loadedAt < STALE_MS) return;
  loadedAt = performance.now();
  const [found, said] = await Promise.all([
    allTables(),
    reference.peek().functions.length > 0 ? null : ask<SqlReference>(PATHS.sqlReference),
  ]);
  if (found === null) loadedAt = -Infinity;
  else tables.value = found;
  if (said?.ok === true) reference.value = said.value;
  isCatalogKnown.value = true;
}
