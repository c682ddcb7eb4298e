import type { State } from './state.ts';
import type { Look, Site } from './site.ts';
import { signedIn } from './states/session.ts';

/** Brings a page into a state, and waits until nothing moves any more. */
export async function show(site: Site, state: State, look?: Look): Promise<void> {
  await site.open(state.path, { ...signedIn(), ...state.answers }, look);
  await site.page.getByText(state.shows).filter({ visible: true }).first().waitFor();
  await state.act?.(site.page);
  await site.page.evaluate('document.fonts.ready.then(() => undefined)');
}
