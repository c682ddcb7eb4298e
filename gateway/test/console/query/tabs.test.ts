import { signal } from '@preact/signals';
import { expect } from 'chai';
import { claimKept, forgetAll } from '../../../src/console/web/app/kept.ts';
import { HIDDEN_RESULT_BYTES_MAX, QUERY_TABS_MAX } from '../../../src/console/web/pages/query/limits.ts';
import { keepTabs, keptTabs } from '../../../src/console/web/pages/query/tabs/kept-tabs.ts';
import { boundResults } from '../../../src/console/web/pages/query/tabs/bound-results.ts';
import {
  addTab,
  closeTab,
  ofShown,
  shownTab,
  showTab,
  tabBeside,
  tabs,
} from '../../../src/console/web/pages/query/tabs/open-tabs.ts';
import { titleOf, type Origin, type QueryTab } from '../../../src/console/web/pages/query/tabs/query-tab.ts';
import { tabForSaved, tabForSql } from '../../../src/console/web/pages/query/tabs/which-tab.ts';

const ORIGIN: Origin = Object.freeze({
  savedQueryId: 's1',
  name: 'Paid orders',
  version: 3,
  sql: 'SELECT 1',
  createdBy: 'ada@example.com',
});

/** A run as far as tabs know of it, that holds so many bytes. */
function holding(tab: QueryTab, bytes: number) {
  const rowCount = signal(bytes === 0 ? 0 : 1);
  const rows = { byteCount: bytes };
  const run = { rowCount, rows, stopped: 0, stop: () => (run.stopped += 1) };
  tab.current.value = { run, planned: null, offset: 0 } as unknown as QueryTab['current']['value'];
  return run;
}

describe('Open queries', () => {
  const texts = (): readonly string[] => tabs.value.map(({ text }) => text.value);
  beforeEach(() => {
    addTab();
    const fresh = shownTab.value;
    for (const tab of tabs.value) if (tab !== fresh) closeTab(tab);
  });

  it('are one at least; a new one is shown behind the others, and each keeps what is its own', () => {
    const text = ofShown((tab) => tab.text);
    const [first] = tabs.value;
    text.value = 'SELECT 1';
    expect(addTab({ text: 'SELECT 2', origin: null })).to.equal(true);
    expect([text.value, texts()]).to.deep.equal(['SELECT 2', ['SELECT 1', 'SELECT 2']]);
    text.value = 'SELECT 3';
    showTab(first!);
    expect([text.value, texts()]).to.deep.equal(['SELECT 1', ['SELECT 1', 'SELECT 3']]);
    closeTab(first!);
    expect([text.value, texts()]).to.deep.equal(['SELECT 3', ['SELECT 3']]);
    closeTab(shownTab.value);
    expect([text.value, texts()]).to.deep.equal(['', ['']]);
  });

  it('are gone through by steps, round and round, and the neighbor comes for one that is closed', () => {
    for (const text of ['b', 'c']) addTab({ text, origin: null });
    expect(tabBeside(1).text.value).to.equal('');
    expect(tabBeside(-1).text.value).to.equal('b');
    const [a, b, c] = tabs.value;
    showTab(b!);
    closeTab(b!);
    expect(shownTab.value).to.equal(c);
    closeTab(c!);
    expect(shownTab.value).to.equal(a);
    addTab();
    closeTab(a!);
    expect(shownTab.value).to.equal(tabs.value[0]);
  });

  it('are no more than a number, and those that are there stay', () => {
    for (let i = 1; i < QUERY_TABS_MAX; i += 1) expect(addTab()).to.equal(true);
    const before = tabs.value;
    expect(addTab({ text: 'one more', origin: null })).to.equal(false);
    expect(tabs.value).to.equal(before);
  });

  it('take what is opened where nothing is written, or where it is already, and nowhere over other words', () => {
    const blank = shownTab.value;
    expect(tabForSql('SELECT 1')).to.equal(blank);
    expect(tabForSaved('s1')).to.equal(blank);
    blank.text.value = 'SELECT mine';
    expect(tabForSql('SELECT 1')).to.equal(undefined);
    expect(tabForSql('SELECT mine')).to.equal(blank);
    addTab({ text: ORIGIN.sql, origin: ORIGIN });
    const saved = shownTab.value;
    showTab(blank);
    expect(tabForSaved('s1')).to.equal(saved);
    expect(tabForSaved('s2')).to.equal(undefined);
    saved.text.value = 'SELECT 1, changed';
    expect(tabForSaved('s1')).to.equal(undefined);
  });

  it('end their runs when they are closed', () => {
    addTab();
    const run = holding(shownTab.value, 10);
    closeTab(shownTab.value);
    expect(run.stopped).to.equal(1);
  });

  it('let results go that were not looked at for longest, once hidden ones hold too much; never the one that is shown', () => {
    const end = boundResults();
    try {
      const [a] = tabs.value;
      for (const text of ['b', 'c']) addTab({ text, origin: null });
      const [, b, c] = tabs.value;
      const half = HIDDEN_RESULT_BYTES_MAX / 2;
      const runs = [holding(a!, half), holding(b!, half), holding(c!, HIDDEN_RESULT_BYTES_MAX * 2)];
      expect(tabs.value.map(({ isLetGo }) => isLetGo.value)).to.deep.equal([false, false, false]);
      showTab(a!);
      expect(c!.current.value).to.equal(null);
      expect(tabs.value.map(({ isLetGo }) => isLetGo.value)).to.deep.equal([false, true, true]);
      expect(runs.map(({ stopped }) => stopped)).to.deep.equal([0, 1, 1]);

      const growing = holding(b!, half);
      showTab(c!);
      expect(b!.current.value).to.not.equal(null);
      growing.rows.byteCount = half + 1;
      growing.rowCount.value += 1;
      expect([a!.current.value === null, b!.current.value === null]).to.deep.equal([false, true]);
    } finally {
      end();
    }
  });

  it('are called as they are saved, else as they begin', () => {
    expect(titleOf({ text: 'SELECT 2', origin: ORIGIN })).to.equal('Paid orders');
    expect(titleOf({ text: ' \n', origin: null })).to.equal('New query');
    expect(titleOf({ text: '-- monthly report\nSELECT 1', origin: null })).to.equal(
      'monthly report SELECT 1',
    );
    expect(titleOf({ text: `SELECT ${'x'.repeat(100_000)}`, origin: null }))
      .to.match(/^SELECT x+…$/)
      .and.have.length.below(40);
  });

  describe('kept in the browser', () => {
    const names = ['localStorage', 'sessionStorage'] as const;
    const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    /** As browsers have it: what is kept are its own properties. */
    const storage = (): Storage => {
      const items: Record<string, string> = {};
      const methods = {
        getItem: (name: string) => items[name] ?? null,
        setItem: (name: string, value: string) => void (items[name] = value),
        removeItem: (name: string) => delete items[name],
      };
      return new Proxy(items, {
        get: (_, name) => Reflect.get(name in methods ? methods : items, name) as unknown,
      }) as unknown as Storage;
    };
    beforeEach(() => {
      for (const name of names)
        Object.defineProperty(globalThis, name, { value: storage(), configurable: true });
    });
    after(() => {
      // Whoever comes next is remembered again.
      claimKept('another');
      names.forEach((name, i) => {
        const descriptor = before[i];
        if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, descriptor);
      });
    });
    const written = () =>
      keptTabs().tabs.map(({ id, text, origin }) => [id, text.value, origin.value] as const);

    it('come back as they were, with where they came from and the one that was shown', () => {
      shownTab.value.text.value = 'SELECT 0';
      addTab({ text: 'SELECT 1, changed', origin: ORIGIN });
      addTab();
      const [first, second, third] = tabs.value;
      showTab(second!);
      keepTabs(tabs.value, shownTab.value);
      expect(written()).to.deep.equal([
        [first!.id, 'SELECT 0', null],
        [second!.id, 'SELECT 1, changed', ORIGIN],
        [third!.id, '', null],
      ]);
      expect(keptTabs().shown.id).to.equal(second!.id);
      closeTab(second!);
      keepTabs(tabs.value, shownTab.value);
      expect(written().map(([id]) => id)).to.deep.equal([first!.id, third!.id]);
      expect(Object.keys(sessionStorage).join()).to.not.include(second!.id);
    });

    it('begin in another tab of the browser with the text that was written last', () => {
      shownTab.value.text.value = 'SELECT 7';
      keepTabs(tabs.value, shownTab.value);
      Object.defineProperty(globalThis, 'sessionStorage', { value: storage(), configurable: true });
      expect(written().map(([, text]) => text)).to.deep.equal(['SELECT 7']);
    });

    it('are one blank one where nothing that can be read is kept', () => {
      for (const list of ['', '{', '[]', '{"ids":[1,"x"],"shown":"x"}', '{"ids":{}}', 'null']) {
        sessionStorage.setItem('penstock.query.tabs', list);
        sessionStorage.setItem('penstock.query.tab.x', '{"text":5}');
        expect(
          written().map(([, text]) => text),
          list,
        ).to.deep.equal(['']);
      }
    });

    it('are gone when somebody signs out, and are not put back by the page that goes', () => {
      shownTab.value.text.value = 'SELECT secret';
      keepTabs(tabs.value, shownTab.value);
      forgetAll();
      shownTab.value.text.value = 'SELECT secret 2';
      keepTabs(tabs.value, shownTab.value);
      expect(Object.keys(sessionStorage).concat(Object.keys(localStorage))).to.deep.equal([]);
    });
  });
});
