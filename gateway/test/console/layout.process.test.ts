/** What neither jumps nor is cut, measured in the page. */
import { expect } from 'chai';
import { until } from '../../../services/common/test/support/until.ts';
import { CHROMIUM_TIMEOUT_MS } from '../e2e/sign-in/chromium/launch.ts';
import { sharedChromium } from '../e2e/sign-in/chromium/shared.ts';
import { show } from './pictures/show.ts';
import { openSite, type Site } from './pictures/site.ts';
import { CONSOLE_STATES } from './pictures/states/all.ts';

const WIDTHS = [1280, 390];

interface Outside {
  readonly node: number;
  readonly width: number;
  readonly page: number;
}

/** Notes every height that a canvas takes. */
const NOTE_HEIGHTS = `(() => {
  window.heights = [];
  const height = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'height');
  Object.defineProperty(HTMLCanvasElement.prototype, 'height', {
    get: height.get,
    set(value) {
      window.heights.push(value);
      height.set.call(this, value);
    },
  });
})()`;

/** By how many pixels the chosen node, and on a phone the whole tree, stand out of their place. */
const OUTSIDE = `(() => {
  const place = document.querySelector('.plan-scroll');
  const at = place.getBoundingClientRect();
  const node = document.querySelector('.plan-node[aria-pressed=true]').getBoundingClientRect();
  return {
    node: Math.max(0, at.top - node.top, node.bottom - at.bottom, at.left - node.left, node.right - at.right),
    width: Math.max(0, place.scrollWidth - place.clientWidth),
    page: scrollY,
  };
})()`;

describe('What stands on a page', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS);
  let site: Site;
  before(async () => {
    site = await openSite(await sharedChromium(), {});
    await site.context.addInitScript(NOTE_HEIGHTS);
  });
  after(() => site?.close());

  async function at(state: string, width: number): Promise<Site> {
    const found = CONSOLE_STATES[state];
    if (found === undefined) throw new Error(`there is no state ${state}`);
    await show(site, found, { viewport: { width, height: 800 } });
    return site;
  }

  for (const width of WIDTHS) {
    it(`is a chart that has one size from its first picture on, at ${width} pixels`, async () => {
      const { page } = await at('query-chart', width);
      // Two frames, so that whatever would change its size has done so.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const heights = await page.evaluate<number[]>('window.heights');
      expect(new Set(heights).size, heights.join(' ')).to.equal(1);
      const room = await page.evaluate<number>(
        `document.querySelector('.chart-place').clientHeight - document.querySelector('.uplot').clientHeight`,
      );
      expect(room).to.be.within(0, 4);
    });

    it(`is the dearest step of the plan, whole and without moving the page, at ${width} pixels`, async () => {
      // On a phone the rows that came have the page.
      for (const state of ['query-planned', 'query-dear', ...(width > 1_000 ? ['query-rows'] : [])]) {
        const { page } = await at(state, width);
        const outside = (): Promise<Outside> => page.evaluate<Outside>(OUTSIDE);
        await until(async () => (await outside()).node === 0, { what: `the step is whole in ${state}` });
        expect(await outside(), state).to.deep.equal({ node: 0, width: 0, page: 0 });
      }
    });
  }

  async function untilRowIsSeen(width: number): Promise<void> {
    const { page } = await at('query-rows', width);
    const first = page.getByRole('gridcell').first();
    const isSeen = async (): Promise<boolean> => {
      const box = await first.boundingBox();
      return box !== null && box.y > 0 && box.y + box.height < 800;
    };
    await until(isSeen, { what: `a row in the window, at ${width} pixels` });
  }

  it('is the rows that one has run for, on a phone as where the page is enlarged', async () => {
    for (const width of [390, 720]) await untilRowIsSeen(width);
  });

  it('is the rows also where they are there before the code that shows them', async () => {
    const { page } = site;
    const rowsCame = page.waitForResponse((response) =>
      (response.headers()['content-type'] ?? '').includes('ndjson'),
    );
    const panel = /\/result-panel-[^/]*\.js$/;
    await page.route(panel, async (route) => {
      await (await rowsCame).finished();
      await route.continue();
    });
    await untilRowIsSeen(390);
    await page.unroute(panel);
  });

  it('is a table of attributes of which nothing is cut when it is enlarged to 400 %', async () => {
    const { page } = await at('tables-table', 320);
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.table-scroll:has(.columns-table), .columns-table td')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent.slice(0, 40))`,
    );
    expect(cut).to.deep.equal([]);
  });

  it('is the cell whose value is open, beside the value', async () => {
    const { page } = await at('query-value', 1280);
    const cell = page.locator('.grid-cell.active');
    const value = await page.getByRole('complementary', { name: 'Value' }).boundingBox();
    expect(value).to.not.equal(null);
    // The grid makes room for the value, and scrolls then.
    const right = async (): Promise<number> => {
      const box = await cell.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.x + box.width;
    };
    await until(async () => (await right()) <= (value?.x ?? 0), { what: 'the cell stands beside the value' });
  });

  it('is a range of days whose fields stay where they are when it is wrong', async () => {
    const { page } = await at('usage', 1280);
    const left = async (): Promise<number | undefined> =>
      (await page.getByLabel('To', { exact: true }).boundingBox())?.x;
    const before = await left();
    await page.getByLabel('From', { exact: true }).fill('2026-11-30');
    await page.getByLabel('To', { exact: true }).fill('2026-11-01');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('must not be after').waitFor();
    expect(await left()).to.equal(before);
  });
});
