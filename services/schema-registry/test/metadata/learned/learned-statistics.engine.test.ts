import { expect } from 'chai';
import { LEARNED_FILTERS_MAX, LEARNED_KEYS_MAX } from '../../../src/limits.ts';
import {
  learn,
  NOTHING_LEARNED,
  type LearnedFilter,
  type LearnedKeys,
  type LearnedStatistics,
} from '../../../src/metadata/learned/learned-statistics.ts';
import {
  learnedVersion,
  metadataVersionOf,
  NOTHING_STORED,
  withShown,
} from '../../../src/metadata/learned/shown-statistics.ts';

const keys = (more: Partial<LearnedKeys> = {}): LearnedKeys => ({
  index: '',
  keyColumns: ['customer'],
  keys: 2,
  missing: 0,
  items: 100,
  units: 6,
  ...more,
});
const filter = (more: Partial<LearnedFilter> = {}): LearnedFilter => ({
  index: 'byRegion',
  form: 'status = ?',
  read: 50,
  passed: 5,
  ...more,
});
const seen = (more: Partial<LearnedStatistics> = {}): LearnedStatistics => ({
  keys: [],
  filters: [],
  ...more,
});

describe('what is learned of queries', () => {
  it('counts half as much with each report of the same', () => {
    const first = learn(NOTHING_LEARNED, seen({ keys: [keys()], filters: [filter()] }));
    expect(first.keys).to.deep.equal([keys()]);
    const second = learn(first, seen({ keys: [keys({ items: 20, units: 2 })] }));
    expect(second.keys).to.deep.equal([keys({ keys: 3, items: 70, units: 5 })]);
    expect(second.filters).to.deep.equal(first.filters);
  });

  it('counts as eight keys and a hundred rows at most, so that data may change', () => {
    const many = learn(
      NOTHING_LEARNED,
      seen({
        keys: [keys({ keys: 1000, missing: 500, items: 50_000, units: 3_000 })],
        filters: [filter({ read: 1e6, passed: 1e5 })],
      }),
    );
    expect(many.keys).to.deep.equal([keys({ keys: 8, missing: 4, items: 400, units: 24 })]);
    expect(many.filters).to.deep.equal([filter({ read: 100, passed: 10 })]);
    let changed = many;
    for (let report = 0; report < 5; report++)
      changed = learn(changed, seen({ keys: [keys({ keys: 8, items: 8, units: 4 })] }));
    expect((changed.keys[0]?.items ?? 0) / (changed.keys[0]?.keys ?? 1)).to.be.within(1, 3);
  });

  it('keeps paths apart, and the ones told of last where there are too many', () => {
    let known = NOTHING_LEARNED;
    for (let i = 0; i < 200; i++)
      known = learn(
        known,
        seen({ keys: [keys({ keyColumns: [`k${i}`] })], filters: [filter({ form: `f${i} = ?` })] }),
      );
    expect(known.keys).to.have.length(LEARNED_KEYS_MAX);
    expect(known.filters).to.have.length(LEARNED_FILTERS_MAX);
    expect(known.keys[0]?.keyColumns).to.deep.equal(['k199']);
    expect(learn(known, seen({ keys: [keys({ index: 'other' })] })).keys[1]?.keyColumns).to.deep.equal([
      'k199',
    ]);
  });
});

describe('what planners are shown of it', () => {
  const first = withShown(
    learn(NOTHING_LEARNED, seen({ keys: [keys({ keys: 8, items: 80, units: 8 })] })),
    NOTHING_LEARNED,
  );

  it('is what is new at once', () => {
    expect(first.shown.keys).to.have.length(1);
    const more = withShown(learn(first.learned, seen({ filters: [filter()] })), first.shown);
    expect(more.shown.filters).to.have.length(1);
  });

  it('stays while reports say about the same, and with it the version', () => {
    let stored = first;
    for (let report = 0; report < 50; report++) {
      const items = report % 2 === 0 ? 90 : 72;
      stored = withShown(
        learn(stored.learned, seen({ keys: [keys({ keys: 8, items, units: 8.5 })] })),
        stored.shown,
      );
    }
    expect(stored.shown).to.equal(first.shown);
    expect(stored.learned).to.not.deep.equal(first.learned);
    expect(learnedVersion('v', stored.shown)).to.equal(learnedVersion('v', first.shown));
  });

  it('changes where a figure has changed by a factor', () => {
    for (const other of [{ items: 300 }, { units: 40 }, { missing: 6 }, { items: 4 }]) {
      let stored = first;
      for (let report = 0; report < 4; report++)
        stored = withShown(
          learn(stored.learned, seen({ keys: [keys({ keys: 8, items: 80, units: 8, ...other })] })),
          stored.shown,
        );
      expect(stored.shown, JSON.stringify(other)).to.not.equal(first.shown);
    }
  });

  it('has a version of its own behind that of the metadata, and none where there is nothing', () => {
    expect(learnedVersion('v', NOTHING_STORED.shown)).to.equal('v');
    const version = learnedVersion('v', first.shown);
    expect(version).to.match(/^v~[\w-]{11}$/);
    expect(metadataVersionOf(version)).to.equal('v');
    expect(metadataVersionOf('v')).to.equal('v');
  });
});
