/** What completion knows: tables, functions and keywords. */
import { computed, signal } from '@preact/signals';
import { PATHS } from '../../../api/paths.ts';
import type { SqlReference } from '../../../api/sql-reference.ts';
import { ask } from '../../net/request.ts';
import { loadCatalog, tables as all } from '../common/catalog.ts';
import { COMPLETED_TABLES_MAX } from './limits.ts';

export const tables = computed(() => all.value.slice(0, COMPLETED_TABLES_MAX));
export const reference = signal<SqlReference>({ functions: [], keywords: [] });

/** Loads what is not known, or was asked for long ago. */
export async function loadKnown(): Promise<void> {
  const [, said] = await Promise.all([
    loadCatalog(),
    reference.peek().functions.length > 0 ? null : ask<SqlReference>(PATHS.sqlReference),
  ]);
  if (said?.ok === true) reference.value = said.value;
}
