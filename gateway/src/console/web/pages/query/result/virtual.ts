/** @tanstack/virtual-core for Preact: which rows or columns of a scrolled element are to be drawn. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useReducer, useRef } from 'preact/hooks';

interface Wanted {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly sizeOf: (at: number) => number;
  readonly horizontal?: boolean;
  /** Drawn beyond what is seen, on each side. */
  readonly overscan: number;
  /** Of what stands before the first, and stays there. */
  readonly padding: number;
  /** Changes where sizes have changed. */
  readonly sizes?: unknown;
}

export interface Virtual {
  readonly items: readonly VirtualItem[];
  readonly total: number;
  scrollTo(at: number): void;
}

export function useVirtual({
  scroller,
  count,
  sizeOf,
  horizontal = false,
  overscan,
  padding,
  sizes,
}: Wanted): Virtual {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const made = useRef<Virtualizer<HTMLElement, Element> | null>(null);
  // Another function makes it lay out again at once: `measure()` would only after this was drawn, so that what is drawn
  // of the one size would stand beside what is drawn of the other.
  const getItemKey = useCallback((at: number) => at, [sizes]);
  const options = {
    count,
    estimateSize: sizeOf,
    getItemKey,
    horizontal,
    overscan,
    paddingStart: padding,
    scrollPaddingStart: padding,
    getScrollElement: () => scroller.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined),
  };
  made.current ??= new Virtualizer<HTMLElement, Element>(options);
  const virtualizer = made.current;
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    items: virtualizer.getVirtualItems(),
    total: virtualizer.getTotalSize(),
    scrollTo: (at) => virtualizer.scrollToIndex(at, { align: 'auto' }),
  };
}
