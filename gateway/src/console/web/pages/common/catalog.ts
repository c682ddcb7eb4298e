/** Tables of all active schemas, as far as they are known. */
import type { CatalogPage, CatalogTable } from '../../../api/catalog.ts';
import { PATHS } from '../../../api/paths.ts';
import { done, type Outcome } from '../../net/outcome.ts';
import { ask } from '../../net/request.ts';

/** Of the list, which holds 200 tables a page. */
const PAGES_MAX = 100;

export async function askCatalog(
  path: string = PATHS.catalog,
  signal?: AbortSignal,
): Promise<Outcome<readonly CatalogTable[]>> {
  const tables: CatalogTable[] = [];
  let next = path;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const outcome = await ask<CatalogPage>(next, signal === undefined ? {} : { signal });
    if (!outcome.ok) return outcome;
    tables.push(...outcome.value.tables);
    const { nextToken } = outcome.value;
    if (nextToken === undefined) break;
    next = `${path}?nextToken=${encodeURIComponent(nextToken)}`;
  }
  return done(tables);
}

/** Tables of one schema, whose name is as it is stored. */
export const ofSchema = (tables: readonly CatalogTable[], schemaName: string): readonly CatalogTable[] =>
  tables.filter((table) => table.schemaName === schemaName);
