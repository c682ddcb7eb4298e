import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Measured } from './measure.ts';

/** What the process may grow by: DuckDB's memory of 96 MiB and what functions hold of texts at a time. */
const GROWTH_MB_MAX = 96 + 256;
/** From the stop to the end of a statement, on a machine that does other things too. Milliseconds. */
const STOPPED_MS_MAX = 5_000;
/** How often a key is repeated: texts just below the bound of most statements, and beyond all. */
const TIMES = ['500', '2000'];

describe('functions of long texts, over more rows than DuckDB computes at a time', () => {
  let all: readonly Measured[];
  before(async function () {
    this.timeout(180_000);
    const script = join(import.meta.dirname, 'measure.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...TIMES]);
    all = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Measured);
  });
  const shown = ({ what, times, grownMb, stoppedMs, code }: Measured): string =>
    `${what} of ${times}: ${grownMb} MB, ${stoppedMs} ms, ${code}`;

  it('stay within the memory that a statement may take', () => {
    expect(all.length).to.be.above(60);
    expect(all.filter(({ grownMb }) => grownMb > GROWTH_MB_MAX).map(shown)).to.deep.equal([]);
  });

  it('end soon after they are told to', () => {
    expect(all.filter(({ stoppedMs }) => stoppedMs > STOPPED_MS_MAX).map(shown)).to.deep.equal([]);
  });

  it('are answered, stopped, or refused by an error that says what was too much', () => {
    const codes = new Set(all.map(({ code }) => code));
    expect([...codes]).to.include.members([null, 'EXECUTION_ERROR']);
    for (const measured of all) {
      expect(measured.code, shown(measured)).to.be.oneOf([
        null,
        'EXECUTION_ERROR',
        'CANCELLED',
        'RESOURCE_EXHAUSTED',
      ]);
      if (measured.code === 'EXECUTION_ERROR')
        expect(measured.message).to.match(/^(Invalid value|Conversion failed): /);
    }
    const [reported] = all;
    expect(reported?.message).to.match(/^Invalid value: a text of more than \d+ bytes would come out$/);
  });
});
