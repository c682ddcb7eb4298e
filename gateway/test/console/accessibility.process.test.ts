/**
 * axe-core on every page and state that there are pictures of, light and dark, on a desktop and on a phone. A state is
 * shown once: colors and width change beneath it, as they do for a person who turns the device or when evening comes.
 * All states are shown in one page after the other, which halves what they cost: scripts stay compiled.
 *
 * A run takes every fifth state, each run others; with PENSTOCK_TEST_LONG all of them, and every rule meets every width in
 * both colors.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { IS_LONG, isChosen, SEED_SHOWN } from '../../../services/common/test/support/random-budget.ts';
import { CHROMIUM_TIMEOUT_MS } from '../e2e/sign-in/chromium/launch.ts';
import { sharedChromium } from '../e2e/sign-in/chromium/shared.ts';
import { show } from './pictures/show.ts';
import { openSite, type Site } from './pictures/site.ts';
import { CONSOLE_STATES } from './pictures/states/all.ts';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
interface Tested {
  readonly viewport: typeof DESKTOP;
  readonly colorScheme: 'light' | 'dark';
  readonly rules: 'all' | 'contrast';
}

/**
 * Every rule for each width, of WCAG 2.2 up to AA and what axe holds to be good practice; other colors change but one. The
 * phone's light colors are those of the desktop.
 */
const SOME: readonly Tested[] = [
  { viewport: DESKTOP, colorScheme: 'light', rules: 'all' },
  { viewport: DESKTOP, colorScheme: 'dark', rules: 'contrast' },
  { viewport: PHONE, colorScheme: 'dark', rules: 'all' },
];
const ALL = [DESKTOP, PHONE].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme): Tested => ({ viewport, colorScheme, rules: 'all' })),
);
const LOOKS = IS_LONG ? ALL : SOME;
const STATES = Object.entries(CONSOLE_STATES).filter((_, i) => isChosen(5, i));
const RULES = { all: '', contrast: "runOnly: { type: 'rule', values: ['color-contrast'] }," };

const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

const run = (rules: keyof typeof RULES): string =>
  `axe.run(document, { ${RULES[rules]} resultTypes: ['violations'], preload: false }).then(({ violations }) =>
  violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`;

const told = ({ id, nodes }: Finding): string =>
  `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html.slice(0, 300)}\n${failureSummary}`).join('\n')}`;

describe(`the console's pages, to axe-core (${SEED_SHOWN})`, function () {
  this.timeout(CHROMIUM_TIMEOUT_MS);
  let site: Site;
  let axe: string;
  before(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    // Motion would let axe meet colors that are on their way.
    site = await openSite(await sharedChromium(), { reducedMotion: 'reduce' });
  });
  after(() => site?.close());

  for (const [name, state] of STATES) {
    it(`have nothing to mend: ${name}`, async () => {
      const { page } = site;
      await show(site, state, LOOKS[0]);
      await page.evaluate(axe);
      for (const { viewport, colorScheme, rules } of LOOKS) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await page.evaluate(DRAWN);
        const found = await page.evaluate<Finding[]>(run(rules));
        expect(found.map(told), `${viewport.width} wide, ${colorScheme}`).to.deep.equal([]);
      }
    });
  }
});
