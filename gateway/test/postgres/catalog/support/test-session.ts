import type { CatalogSession, CatalogTables } from '../../../../src/postgres/catalog/catalog.ts';
import { SAMPLE_TABLES } from './sample-tables.ts';

export interface TestSession extends CatalogSession {
  /** What statements set. */
  readonly settings: Map<string, string>;
}

export interface SessionOptions {
  readonly tenantId?: string;
  readonly user?: string;
  readonly searchPath?: readonly string[];
  readonly tables?: CatalogTables;
  readonly signal?: AbortSignal;
}

export function testSession(options: SessionOptions = {}): TestSession {
  const {
    tenantId = 'tenant-a',
    user = 'reader',
    searchPath = ['public'],
    tables = SAMPLE_TABLES,
    signal,
  } = options;
  const settings = new Map<string, string>([['application_name', 'test']]);
  return {
    user,
    database: 'penstock',
    tenantId,
    backendPid: 42,
    settings,
    setting: (name) => settings.get(name),
    set: (name, value) => void settings.set(name, value),
    searchPath: () => searchPath,
    tables: async () => tables,
    signal: signal ?? new AbortController().signal,
  };
}
