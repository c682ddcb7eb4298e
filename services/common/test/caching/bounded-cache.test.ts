import { expect } from 'chai';
import { boundedCache } from '../../src/caching/bounded-cache.ts';

describe('boundedCache', () => {
  it('forgets what was used least recently once there are too many', () => {
    const cache = boundedCache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).to.deep.equal([1, undefined, 3]);
  });

  it('forgets as many as a heavy entry takes, and keeps none that is too heavy by itself', () => {
    const cache = boundedCache<number>(100, { weightMax: 10, weightOf: (_, weight) => weight });
    for (const key of ['a', 'b', 'c', 'd', 'e']) cache.set(key, 2);
    cache.set('heavy', 7);
    expect(cache.size).to.equal(2);
    expect(cache.get('e')).to.equal(2);
    cache.set('heavier', 11);
    expect(cache.get('heavier')).to.equal(undefined);
    expect(cache.get('heavy')).to.equal(7);
  });

  it('counts an entry once however often it is set, and no more once it is deleted', () => {
    const cache = boundedCache<number>(100, { weightMax: 10, weightOf: (_, weight) => weight });
    for (let times = 0; times < 50; times++) cache.set('a', 6);
    cache.set('b', 4);
    expect(cache.size).to.equal(2);
    cache.delete('a');
    cache.set('c', 6);
    expect([cache.get('b'), cache.get('c')]).to.deep.equal([4, 6]);
  });
});
