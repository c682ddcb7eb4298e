/** Each state of the hosted pages is loaded once, and looked at in both colors and at each width. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../../services/common/test/support/until.ts';
import { CHROMIUM_TIMEOUT_MS } from '../e2e/sign-in/chromium/launch.ts';
import { sharedChromium } from '../e2e/sign-in/chromium/shared.ts';
import { checkReadability } from './support/readability.ts';
import { servePageStates, type PageServer } from './support/page-server.ts';
import { PAGE_STATES } from './support/page-states.ts';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 800 };
/** A phone, and a desktop enlarged four times (WCAG 2.2, 1.4.10). */
const NARROW = [PHONE, { width: 320, height: 800 }];

const SECOND_FORM_MS = 300;

async function isReadable(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await checkReadability(page), `too faint, ${colorScheme}`).to.deep.equal([]);
  }
}

async function hasNames(page: Page): Promise<void> {
  expect(await page.getByRole('heading', { level: 1 }).count(), 'headings').to.equal(1);
  const main = page.getByRole('main');
  expect(await main.count(), 'main').to.equal(1);
  expect(await main.ariaSnapshot()).to.not.match(/^\s*- (textbox|button|link|img)(:|$| \[)/m);
}

async function saysWhatIsWrong(page: Page): Promise<void> {
  const wrong = page.locator('input[aria-invalid="true"]');
  if ((await wrong.count()) === 0) return;
  for (const field of await wrong.all()) {
    const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
    expect(ids, 'what the wrong field is described by').to.include('problem');
  }
  expect(await page.locator('#problem[role="alert"]').count(), 'problems').to.equal(1);
  expect(await page.locator('input[aria-invalid="true"]:focus').count(), 'wrong fields in focus').to.equal(1);
  expect(await page.locator('#problem').isVisible(), 'the problem is seen').to.equal(true);
}

async function fitsTheWidth(page: Page): Promise<void> {
  for (const viewport of NARROW) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(viewport.width);
  }
}

/** Where the focus stands, from the top; -1 where it is on nothing. */
const FOCUS_TOP = `(() => {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body
    ? -1
    : Math.round(activeElement.getBoundingClientRect().top);
})()`;

async function isInReadingOrder(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  const usable = 'a[href], button, input:not([type=hidden]), summary';
  const expected = await page.locator(usable).filter({ visible: true }).count();
  // A click on nothing, where the order begins.
  await page.mouse.click(2, 2);
  const tops: number[] = [];
  for (let i = 0; i < expected; i += 1) {
    await page.keyboard.press('Tab');
    tops.push(await page.evaluate<number>(FOCUS_TOP));
  }
  expect(tops, 'the focus on something').to.not.include(-1);
  const inOrder = [...tops].sort((one, other) => one - other);
  // A page that scrolls with the focus moves what is measured, so only pages that fit are compared.
  const fits = await page.evaluate('document.documentElement.scrollHeight <= innerHeight');
  if (fits === true) expect(tops, 'from top to bottom').to.deep.equal(inOrder);
}

/** In an order in which none spoils what the next looks at: what was loaded with the focus, is asked for it first. */
const CHECKS = [saysWhatIsWrong, hasNames, isReadable, fitsTheWidth, isInReadingOrder];

describe('Every state of the hosted pages', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS);
  let browser: Browser;
  let pages: PageServer;
  let page: Page;
  let complaints: string[];

  before(async () => {
    [browser, pages] = await Promise.all([sharedChromium(), servePageStates()]);
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });
  after(async () => {
    await page?.context().close();
    await pages?.close();
  });

  for (const name of Object.keys(PAGE_STATES)) {
    it(`stands out, fits, says what is wrong and is used by the tab key alone: ${name}`, async () => {
      complaints = [];
      await page.setViewportSize(DESKTOP);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`${pages.url}/${name}`);
      for (const check of CHECKS) await check(page);
      // Such as something that the policy refused.
      expect(complaints).to.deep.equal([]);
    });
  }

  it('sends its form once, although its button is pressed twice', async () => {
    await page.setViewportSize({ width: 800, height: 1_200 });
    await page.goto(`${pages.url}/consent`);
    const before = pages.sent();
    const box = await page.getByRole('button', { name: 'Allow' }).boundingBox();
    const at = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 5] as const;
    await page.mouse.click(...at);
    await until(() => pages.sent() > before, { what: 'the form is sent' });
    await page.mouse.click(...at);
    // Sleeps: proves that no second form comes.
    await sleep(SECOND_FORM_MS);
    expect(pages.sent() - before).to.equal(1);
  });
});
