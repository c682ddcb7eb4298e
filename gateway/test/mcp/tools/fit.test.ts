import { expect } from 'chai';
import { TOOL_TABLE_BYTES_MAX } from '../../../src/mcp/limits.ts';
import { fitColumns } from '../../../src/mcp/tools/fit-columns.ts';
import { fitRow } from '../../../src/mcp/tools/fit-row.ts';
import { outputBytes, toolResult } from '../../../src/mcp/tools/tool-result.ts';

describe('what is too large for an answer', () => {
  it('is a row whose long values are cut, and whose numbers keep their digits', () => {
    for (const character of ['x', 'é', '"', '\n', '\u{1d50a}']) {
      const value = JSON.stringify(character.repeat(50_000));
      const row = `[${value},12345678901234567890.5,null,{"a":[${value}]},"short"]`;
      const fitted = fitRow(row, 4_000);
      expect(Buffer.byteLength(fitted)).to.be.within(500, 4_000);
      expect(fitted)
        .to.contain(',12345678901234567890.5,null,')
        .and.match(/"short"\]$/);
      const [cut, , , documentText] = JSON.parse(fitted) as string[];
      expect(cut).to.match(/…$/);
      expect(documentText).to.match(/^\{"a":\["/);
    }
  });

  it('is refused where a row has more columns than that can help', () => {
    const row = JSON.stringify(Array.from({ length: 1_000 }, () => 'x'.repeat(1_000)));
    expect(() => fitRow(row, 4_000)).to.throw(/1000 columns/);
  });

  it('is a table of which as many columns are shown as fit, and the others counted', () => {
    const columns = Array.from({ length: 1_000 }, (_, i) => ({
      name: `${i}`.padStart(255, 'é'),
      type: 'VARCHAR',
    }));
    const fitted = fitColumns({ tableName: 't' }, columns);
    expect(fitted.columns.length).to.be.within(30, 999);
    expect(fitted.columns.length + (fitted.omittedColumns ?? 0)).to.equal(1_000);
    expect(outputBytes(toolResult(fitted))).to.be.within(TOOL_TABLE_BYTES_MAX - 2_000, TOOL_TABLE_BYTES_MAX);
    expect(fitColumns({ tableName: 't' }, columns.slice(0, 3))).to.not.have.property('omittedColumns');
  });
});
