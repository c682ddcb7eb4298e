import { expect } from 'chai';
import { BATCH_BYTES, RESPONSE_BYTES_MAX } from '../../../src/execution/limits.ts';
import { createPage } from '../../../src/execution/results/page.ts';
import { rowJoiner, uniqueNames } from '../../../src/execution/results/row-format.ts';

describe('a page of rows', () => {
  it('says where the next one starts when it holds exactly as many rows as asked', () => {
    const page = createPage({ firstRowIdx: 40, maxRows: 2 });
    expect([page.add('[1]'), page.add('[2]'), page.add('[3]')]).to.deep.equal([true, true, false]);
    expect(page.rowCount).to.equal(2);
    expect(page.resumeIdx()).to.equal(42);
  });

  it('is the last one when it holds fewer', () => {
    const page = createPage({ firstRowIdx: 40, maxRows: 2 });
    page.add('[1]');
    expect(page.resumeIdx()).to.equal(null);
  });

  it('stops at its size and resumes after the rows that went', () => {
    const page = createPage({ firstRowIdx: 10, maxRows: 1000 });
    const row = JSON.stringify('x'.repeat(1024 * 1024));
    let added = 0;
    while (page.add(row)) added++;
    expect(added).to.equal(Math.floor(RESPONSE_BYTES_MAX / (row.length + 1)));
    expect(page.add('1'), 'nothing after the cut').to.equal(false);
    expect(page.resumeIdx()).to.equal(10 + added);
  });

  it('stops at a smaller size where it is asked to', () => {
    const page = createPage({ firstRowIdx: 10, maxRows: 1000 }, 100);
    expect(page.add('x'.repeat(200)), 'a first row').to.equal(true);
    expect(page.add('1')).to.equal(false);
    expect(page.resumeIdx()).to.equal(11);
    const next = createPage({ firstRowIdx: 11, maxRows: 1000 }, 100);
    expect([next.add('x'.repeat(49)), next.add('x'.repeat(49)), next.add('')]).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(next.resumeIdx()).to.equal(13);
  });

  it('lets a single row through that is larger than a response', () => {
    const page = createPage({ firstRowIdx: 0, maxRows: 5 });
    expect(page.add('x'.repeat(RESPONSE_BYTES_MAX + 1))).to.equal(true);
    expect(page.add('1')).to.equal(false);
    expect(page.resumeIdx()).to.equal(1);
  });

  it('hands out batches of about their size, and the rest', () => {
    const page = createPage({ firstRowIdx: 0, maxRows: 10 });
    page.add('1');
    expect(page.take(false)).to.equal(null);
    page.add(JSON.stringify('x'.repeat(BATCH_BYTES)));
    expect(page.take(false)?.rowCount).to.equal(2);
    page.add('3');
    const rest = page.take(true);
    expect(new TextDecoder().decode(rest?.json)).to.equal('3');
    expect(page.take(true)).to.equal(null);
  });
});

describe('rows', () => {
  it('as objects get names of their own for equal columns', () => {
    expect(uniqueNames(['a', 'a', 'a_2', 'a'])).to.deep.equal(['a', 'a_2', 'a_2_2', 'a_3']);
    const names = ['a', 'b', 'a'];
    expect(JSON.parse(rowJoiner('object', names)(['1', '"x"', 'null']))).to.deep.equal({
      a: 1,
      b: 'x',
      a_2: null,
    });
  });

  it('as arrays keep the order of columns', () => {
    expect(rowJoiner('array', ['a', 'b'])(['1', 'null'])).to.equal('[1,null]');
  });
});
