import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM_TIMEOUT_MS } from '../e2e/sign-in/chromium/launch.ts';
import { sharedChromium } from '../e2e/sign-in/chromium/shared.ts';
import { checkReadability } from './support/readability.ts';
import { servePageStates, type PageServer } from './support/page-server.ts';
import { PAGE_STATES } from './support/page-states.ts';

/** A phone, and a desktop enlarged four times (WCAG 2.2, 1.4.10). */
const NARROW = [390, 320];

const PRESS_PAUSE_MS = 150;

describe('Every state of the hosted pages', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS);
  let browser: Browser;
  let pages: PageServer;

  before(async () => {
    [browser, pages] = await Promise.all([sharedChromium(), servePageStates()]);
  });
  after(() => pages?.close());

  async function eachState(
    settings: Parameters<Browser['newContext']>[0],
    check: (page: Page, name: string) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(settings);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    for (const name of Object.keys(PAGE_STATES)) {
      await page.goto(`${pages.url}/${name}`);
      await check(page, name);
    }
    await context.close();
    // Such as something that the policy refused.
    expect(complaints).to.deep.equal([]);
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has text, field borders and focus rings that stand out (${colorScheme})`, () =>
      eachState({ colorScheme }, async (page, name) => {
        expect(await checkReadability(page), name).to.deep.equal([]);
      }));
  }

  for (const width of NARROW) {
    it(`needs no scrolling to the side at ${width} pixels`, () =>
      eachState({ viewport: { width, height: 800 } }, async (page, name) => {
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).to.equal(width);
      }));
  }

  it('has one heading, and a name for everything that can be used', () =>
    eachState({}, async (page, name) => {
      expect(await page.getByRole('heading', { level: 1 }).count(), name).to.equal(1);
      expect(await page.getByRole('main').count(), name).to.equal(1);
      const tree = await page.getByRole('main').ariaSnapshot();
      expect(tree, name).to.not.match(/^\s*- (textbox|button|link|img)(:|$| \[)/m);
    }));

  it('says what is wrong at the field that is wrong, which has the focus', () =>
    eachState({}, async (page, name) => {
      const wrong = page.locator('input[aria-invalid="true"]');
      if ((await wrong.count()) === 0) return;
      for (const field of await wrong.all()) {
        const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
        expect(ids, name).to.include('problem');
      }
      expect(await page.locator('#problem[role="alert"]').count(), name).to.equal(1);
      expect(await page.locator('input[aria-invalid="true"]:focus').count(), name).to.equal(1);
      expect(await page.locator('#problem').isVisible(), name).to.equal(true);
    }));

  it('sends its form once, although its button is pressed twice', async () => {
    const page = await browser.newPage({ viewport: { width: 800, height: 1_200 } });
    await page.goto(`${pages.url}/consent`);
    const before = pages.sent();
    const box = await page.getByRole('button', { name: 'Allow' }).boundingBox();
    const at = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 5] as const;
    for (let press = 0; press < 2; press += 1) {
      await page.mouse.click(...at);
      await delay(PRESS_PAUSE_MS);
    }
    await delay(2 * PRESS_PAUSE_MS);
    expect(pages.sent() - before).to.equal(1);
    await page.close();
  });

  it('can be used with the tab key alone, in the order in which it is read', () =>
    eachState({ viewport: { width: 390, height: 800 } }, async (page, name) => {
      const usable = 'a[href], button, input:not([type=hidden]), summary';
      const expected = (await page.locator(usable).filter({ visible: true }).all()).length;
      // A click on nothing, where the order begins.
      await page.mouse.click(2, 2);
      const tops: number[] = [];
      for (let i = 0; i < expected; i += 1) {
        await page.keyboard.press('Tab');
        tops.push(Math.round((await page.locator(':focus').boundingBox({ timeout: 2_000 }))?.y ?? -1));
      }
      expect(new Set(tops).has(-1), name).to.equal(false);
      const inOrder = [...tops].sort((one, other) => one - other);
      // A page that scrolls with the focus moves what is measured, so only pages that fit are compared.
      const fits = await page.evaluate('document.documentElement.scrollHeight <= innerHeight');
      if (fits === true) expect(tops, name).to.deep.equal(inOrder);
    }));
});
