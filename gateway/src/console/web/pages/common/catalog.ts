/** Tables of all active schemas, as far as they are known: one catalog for all pages, the newest that any has asked for. */
import type { CatalogPage, CatalogTable } from '../../../api/catalog.ts';
import { PATHS } from '../../../api/paths.ts';
import { signal } from '@preact/signals';
import { done, type Outcome } from '../../net/outcome.ts';
import { ask } from '../../net/request.ts';

/** Of the list, which holds 200 tables a page. */
const PAGES_MAX = 100;

const STALE_MS = 5 * 60_000;

export const tables = signal<readonly CatalogTable[]>([]);
/** Whether the first answer is there. */
export const isCatalogKnown = signal(false);

let askedAt = -Infinity;
/** Goes up with each change: an answer that was asked for before it is old. */
let changes = 0;

/** Makes what is known of the catalog old: a schema was made or changed, or its tables were looked at. */
export function forgetCatalog(): void {
  changes += 1;
  askedAt = -Infinity;
}

/** Asks for all of it, unless that was done a short while ago. Where there was none, somebody may connect the first. */
export async function loadCatalog(): Promise<void> {
  if (tables.peek().length > 0 && performance.now() - askedAt < STALE_MS) return;
  askedAt = performance.now();
  const outcome = await askCatalog();
  if (!outcome.ok) askedAt = -Infinity;
  isCatalogKnown.value = true;
}

/** Asks for all of it, and keeps it for all pages. */
export async function askCatalog(ending?: AbortSignal): Promise<Outcome<readonly CatalogTable[]>> {
  const found: CatalogTable[] = [];
  const changesBefore = changes;
  let next: string = PATHS.catalog;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const outcome = await ask<CatalogPage>(next, ending === undefined ? {} : { signal: ending });
    if (!outcome.ok) return outcome;
    found.push(...outcome.value.tables);
    const { nextToken } = outcome.value;
    if (nextToken === undefined) break;
    next = `${PATHS.catalog}?nextToken=${encodeURIComponent(nextToken)}`;
  }
  tables.value = found;
  isCatalogKnown.value = true;
  askedAt = changes === changesBefore ? performance.now() : -Infinity;
  return done(found);
}

/** Tables of one schema, whose name is as it is stored. */
export const ofSchema = (tables: readonly CatalogTable[], schemaName: string): readonly CatalogTable[] =>
  tables.filter((table) => table.schemaName === schemaName);
