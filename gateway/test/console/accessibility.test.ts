/**
 * axe-core on every page and state that there are pictures of, light and dark, on a desktop and on a phone. A state is
 * shown once: colors and width change beneath it, as they do for a person who turns the device or when evening comes.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { CHROMIUM_TIMEOUT_MS } from '../e2e/sign-in/chromium/launch.ts';
import { sharedChromium } from '../e2e/sign-in/chromium/shared.ts';
import { show } from './pictures/show.ts';
import { openSite } from './pictures/site.ts';
import { CONSOLE_STATES } from './pictures/states/all.ts';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/**
 * Every rule for each width, of WCAG 2.2 up to AA and what axe holds to be good practice; other colors change but one. The
 * phone's light colors are those of the desktop.
 */
const LOOKS = [
  { viewport: DESKTOP, colorScheme: 'light', rules: 'all' },
  { viewport: DESKTOP, colorScheme: 'dark', rules: 'contrast' },
  { viewport: PHONE, colorScheme: 'dark', rules: 'all' },
] as const;
const RULES = { all: '', contrast: "runOnly: { type: 'rule', values: ['color-contrast'] }," };

const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

const run = (rules: keyof typeof RULES): string =>
  `axe.run(document, { ${RULES[rules]} resultTypes: ['violations'], preload: false }).then(({ violations }) =>
  violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`;

const told = ({ id, nodes }: Finding): string =>
  `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html.slice(0, 300)}\n${failureSummary}`).join('\n')}`;

describe("the console's pages, to axe-core", function () {
  this.timeout(CHROMIUM_TIMEOUT_MS);
  let browser: Browser;
  let axe: string;
  before(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    browser = await sharedChromium();
  });

  for (const [name, state] of Object.entries(CONSOLE_STATES)) {
    it(`have nothing to mend: ${name}`, async () => {
      // Motion would let axe meet colors that are on their way.
      const site = await openSite(browser, {
        viewport: DESKTOP,
        colorScheme: 'light',
        reducedMotion: 'reduce',
      });
      try {
        await show(site, state);
        await site.page.evaluate(axe);
        for (const { viewport, colorScheme, rules } of LOOKS) {
          await site.page.setViewportSize(viewport);
          await site.page.emulateMedia({ colorScheme });
          await site.page.evaluate(DRAWN);
          const found = await site.page.evaluate<Finding[]>(run(rules));
          expect(found.map(told), `${viewport.width} wide, ${colorScheme}`).to.deep.equal([]);
        }
      } finally {
        await site.close();
      }
    });
  }
});
