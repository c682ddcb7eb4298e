/** The hosted pages: every form and field that a page has, read from the page itself. */
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import type { Random } from '../../chaos/random.ts';
import { formsOf, newBrowser, newFlow, register, type View } from '../../login/support/sign-in.ts';
import { nastyText } from '../support/nasty.ts';
import { bodyBytes } from './bodies.ts';
import { spoiledHeaders } from './headers.ts';
import type { Target } from './target.ts';

const CHARS_MAX = 20_000;

const nasty = (random: Random): string =>
  nastyText(random, [32, 320, 1_024]).slice(0, CHARS_MAX).toWellFormed();

/** Names of all fields on the page, hidden or not. */
const fieldsOn = ({ text }: View): readonly string[] => [
  ...new Set([...text.matchAll(/<input[^>]*\sname="([^"]+)"/g)].map(([, name = '']) => name)),
];

/** The sign-in page of a flow, and the enrollment page of a link. */
export async function pageTargets(stack: RunningStack, enrollUrl: string): Promise<readonly Target[]> {
  const open = async (name: string, url: string): Promise<Target[]> => {
    const browser = newBrowser(stack.mcpUrl);
    const view = await browser.open(url);
    const forms = formsOf(view.text);
    if (forms.length === 0) throw new Error(`${name} has no form: ${view.text.slice(0, 500)}`);
    const cookie = [...browser.jar].map(([key, value]) => `${key}=${value}`).join('; ');
    const names = [...fieldsOn(view), 'response', 'decision'];
    const { pathname, search, searchParams } = new URL(view.url);
    return [
      {
        name: `GET ${pathname}`,
        next: (random) => {
          const query = new URLSearchParams(
            [...searchParams.keys()].map((key): [string, string] => [key, nasty(random).slice(0, 2_000)]),
          );
          return {
            method: 'GET',
            path: `${pathname}?${query.toString().slice(0, 9_000)}`,
            headers: spoiledHeaders(random, {
              cookie: random.below(2) === 0 ? cookie : nasty(random).slice(0, 3_000),
            }),
          };
        },
      },
      {
        name: `POST ${pathname}`,
        next: (random) => {
          const form = random.pick(forms);
          const given = new URLSearchParams({ ...form.fields });
          for (const field of names) if (random.below(3) === 0) given.set(field, nasty(random));
          // Else few would get beyond the token of the form.
          if (form.fields['csrf'] !== undefined && random.below(4) > 0)
            given.set('csrf', form.fields['csrf']);
          if (random.below(4) > 0) given.set('step', form.fields['step'] ?? 'password');
          const path =
            form.optionsUrl !== '' && random.below(4) === 0 ? form.optionsUrl : `${pathname}${search}`;
          return {
            method: 'POST',
            path,
            headers: spoiledHeaders(random, {
              cookie,
              'content-type': 'application/x-www-form-urlencoded',
              'x-forwarded-for': `203.0.113.${random.below(256)}`,
            }),
            body: bodyBytes(random, given.toString()),
          };
        },
      },
    ];
  };
  const flow = newFlow(stack, await register(stack));
  return [...(await open('the sign-in', flow.authorizeUrl)), ...(await open('the enrollment', enrollUrl))];
}
