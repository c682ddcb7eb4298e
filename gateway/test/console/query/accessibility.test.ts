/** axe-core on every state of the Query page that there are pictures of, in both schemes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { CHROMIUM_TIMEOUT_MS, launchChromium } from '../../e2e/sign-in/chromium/launch.ts';
import { show } from '../pictures/show.ts';
import { openSite } from '../pictures/site.ts';
import { queryStates } from '../pictures/states/query.ts';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** WCAG 2.2 up to AA, and what axe holds to be good practice. */
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`;

const told = ({ id, nodes }: Finding): string =>
  `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html.slice(0, 300)}\n${failureSummary}`).join('\n')}`;

describe("the console's Query page, to axe-core", function () {
  this.timeout(CHROMIUM_TIMEOUT_MS);
  let browser: Browser;
  let axe: string;
  before(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    browser = await launchChromium();
  });
  after(() => browser?.close());

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, state] of Object.entries(queryStates)) {
      it(`has nothing to mend: ${name}, ${colorScheme}`, async () => {
        // Motion would let axe meet colors that are on their way.
        const site = await openSite(browser, { colorScheme, reducedMotion: 'reduce' });
        try {
          await show(site, state);
          await site.page.evaluate(axe);
          const found = await site.page.evaluate<Finding[]>(RUN);
          expect(found.map(told)).to.deep.equal([]);
        } finally {
          await site.close();
        }
      });
    }
  }
});
