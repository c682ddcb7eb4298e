import { expect } from 'chai';
import { copyFile, readFile } from 'node:fs/promises';

const ORIGINAL = new URL('../../../services/query-engine/SQL.md', import.meta.url);
const COPY = new URL('../../src/mcp/sql-reference.md', import.meta.url);

describe('the SQL reference that agents read', () => {
  it("is the query engine's own (UPDATE_GOLDEN=1 copies it anew)", async () => {
    if (process.env['UPDATE_GOLDEN'] === '1') await copyFile(ORIGINAL, COPY);
    const [original, copy] = await Promise.all([readFile(ORIGINAL, 'utf8'), readFile(COPY, 'utf8')]);
    expect(copy === original, 'run this test with UPDATE_GOLDEN=1').to.equal(true);
  });
});
