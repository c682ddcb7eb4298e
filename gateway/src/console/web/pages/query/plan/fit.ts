/** How the tree and the place that shows it go together. */

/** Below it, text is too small to read; the place scrolls then. */
const SCALE_MIN = 0.8;

/** How much smaller a tree of that width is drawn. */
export function scaleOf(widthPx: number, place: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(place);
  const room = place.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return room <= 0 ? 1 : Math.max(SCALE_MIN, Math.min(1, room / widthPx));
}
