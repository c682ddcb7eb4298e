import { expect } from 'chai';
import { interpolate, merge, undefinedNames } from './support/compose-file.ts';

describe('reading compose files', () => {
  it('replaces variables in every text, an empty one as an absent one', () => {
    const environment = { PORT: '99', EMPTY: '' };
    expect(
      interpolate({ a: ['${PORT:-80}:80', 8], b: { c: '${EMPTY:-x}${NONE:-}', d: '$$5' } }, environment),
    ).to.deep.equal({
      a: ['99:80', 8],
      b: { c: 'x', d: '$5' },
    });
  });

  it('refuses a variable of another form', () => {
    for (const text of ['$PORT', '${PORT:?needed}', '${PORT-80}'])
      expect(() => interpolate(text, {}), text).to.throw('not of a form that is known here');
  });

  it('merges maps of a later file, replaces single values and refuses to guess about lists', () => {
    expect(merge({ a: { b: 1, c: 2 }, d: 3 }, { a: { c: 4 }, e: 5 })).to.deep.equal({
      a: { b: 1, c: 4 },
      d: 3,
      e: 5,
    });
    expect(() => merge({ a: [1] }, { a: [2] })).to.throw('the list .a');
  });

  it('finds services and volumes that are named and not there', () => {
    const services = { a: { depends_on: ['b', 'c'], volumes: ['data:/d', './x:/y', '/z'] }, b: {} };
    expect(undefinedNames({ services })).to.deep.equal([
      'a depends on c, which is no service',
      'a mounts data, which is no volume',
    ]);
    expect(undefinedNames({ services: { ...services, c: {} }, volumes: { data: null } })).to.deep.equal([]);
  });
});
