import { readFile } from 'node:fs/promises';
import type { CacheHint, McpServer, ReadResourceResult } from '@modelcontextprotocol/server';
import { expect } from 'chai';
import { addResources, SQL_REFERENCE_URI } from '../../src/mcp/resources.ts';

const PAGE = new URL('../../../services/query-engine/SQL.md', import.meta.url);
const HINT: CacheHint = { ttlMs: 1, cacheScope: 'public' };

describe('the SQL reference that agents read', () => {
  it("is the query engine's own page, as it is in the repository", async () => {
    let read: ((uri: URL) => ReadResourceResult) | undefined;
    const server = {
      registerResource: (...[, , , callback]: [string, string, object, typeof read]) => (read = callback),
    };
    addResources(server as unknown as McpServer, HINT);
    const { contents } = read?.(new URL(SQL_REFERENCE_URI)) ?? {};
    const [content] = contents ?? [];
    expect(content).to.include({ uri: SQL_REFERENCE_URI, mimeType: 'text/markdown' });
    expect(content).to.have.property('text', await readFile(PAGE, 'utf8'));
  });
});
